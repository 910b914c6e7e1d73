/// Cross-validation of a stored, factorised covariance matrix: one factorisation for all folds.
#pragma once

#include <vector>

#include "gpcv/compute.hpp"
#include "gpcv/folds.hpp"
#include "gpcv/kernel_program.hpp"
#include "gpcv/solver.hpp"
#include "operators/dense_factor.hpp"

namespace gpcv {

/// Hold-out residuals, their variances and their derivatives at fixed hyper-parameters. All results are stacked: the
/// validation rows of the first fold, then those of the second, …
///
/// If every fold trains on all rows it does not validate, with A = C⁻¹:
///   r_k = A_kk⁻¹ [A y]_k,   cov r_k = A_kk⁻¹,   z_k = A y − A_:k r_k,   ∂r_k = −A_kk⁻¹ A_k: (∂C) z_k.
/// Otherwise the rows are permuted so that a fold trains on all rows before those it validates. With C = L Lᵀ, T the
/// rows before and V the validated rows:
///   r = L_VV [L⁻¹y]_V,   cov r = L_VV L_VVᵀ,   z = L_TT⁻ᵀ [L⁻¹y]_T,   ∂r = L_VT L_TT⁻¹ (∂C_TT) z − (∂K_VT) z.
/// Every fold may have its own y, a combination of a few targets. A fold that repeats the one before it, for another
/// target, shares its factor.
///
/// The inverse may be that of a device; chains are factorised on the host. Then all functions but the constructors may
/// throw OutOfDeviceMemory.
class DenseCrossValidation {
 public:
  /// The inverse is a device's where the options say so and the device has room for it. Throws NumericalError when the
  /// matrix cannot be factorised.
  DenseCrossValidation(const KernelProgram& program, double noise, ConstView x, ConstVectorView y, const Folds& folds,
                       const ComputeOptions& compute);
  /// Fold k has targets · mixture.col(k) in place of y; with an empty mixture it has the only target.
  DenseCrossValidation(const KernelProgram& program, double noise, ConstView x, ConstView targets, Matrix mixture,
                       const Folds& folds, const ComputeOptions& compute);

  /// y_V − m_V
  const Vector& residuals() const { return residuals_; }
  /// The variances of the predictions, noise included.
  Vector variances() const;
  /// ∂residuals/∂log θ, one column per kernel parameter and, if `noise` is set, one for the noise.
  Matrix jacobian(bool noise) const;
  /// C⁻¹y of all rows, one column per target; empty if no factor contains all of them.
  Matrix weights() const;
  /// z_k of a fold, zero where it does not train.
  Vector fold_weights(std::size_t k) const;
  /// The largest jitter added to the diagonal of C or, with the inverse, of a block A_kk.
  double jitter() const { return jitter_; }
  /// Whether the inverse is on the host because the device had no room for it.
  bool returned_to_host() const { return returned_to_host_; }

  /// Whether each fold trains on exactly the rows it does not validate; one inverse then serves all folds.
  static bool inverts(const Folds& folds);

 private:
  /// A permutation of the rows in which each of some folds trains on all rows before those it validates.
  struct Chain {
    struct Link {
      std::size_t fold;
      Index first;  ///< position of its first validation row in `order`
    };
    std::vector<Index> order;
    std::vector<Link> links;
    std::vector<Cholesky> factor;  ///< the Cholesky factor, one element
    Matrix half;                   ///< L⁻¹y of each target
  };
  static std::vector<Chain> chains_of(const Folds& folds);

  void find_inverse();
  void by_inverse();
  void by_chains();
  Matrix refined_weights() const;
  Matrix inverse_jacobian(bool noise) const;
  Matrix chain_jacobian(bool noise) const;
  const Fold& fold(std::size_t k) const { return folds_.folds[k]; }
  /// The combination of a fold's targets, of values with one column per target.
  Vector of_fold(ConstView values, std::size_t k) const {
    return mixture_.size() == 0 ? Vector(values.col(0)) : Vector(values * mixture_.col(static_cast<Index>(k)));
  }
  const BlockFactor& block(std::size_t k) const { return *blocks_[block_of_[k]]; }

  const KernelProgram program_;
  const double noise_;
  const ConstView x_;
  const ConstView targets_;
  const Matrix mixture_;
  const Folds& folds_;
  const ComputeOptions compute_;
  std::vector<Index> first_;  ///< first row of each fold in the stacked order
  Vector residuals_;
  double jitter_ = 0;
  // Members of the inverse method:
  std::unique_ptr<DenseInverse> inverse_;             ///< A
  Matrix weights_;                                    ///< A y, C⁻¹y, of each target
  std::vector<std::unique_ptr<BlockFactor>> blocks_;  ///< A_kk of the folds that do not repeat another
  std::vector<std::size_t> block_of_;                 ///< block of each fold
  bool returned_to_host_ = false;
  // Members of the chain method:
  std::vector<Chain> chains_;
};

}  // namespace gpcv
