/// Factorised and inverted matrices, in the memory of the host or of a device.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "gpcv/compute.hpp"
#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// The jitters, relative to the mean diagonal, in the order in which a factorisation tries them.
inline constexpr std::array jitters{0.0, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4};
/// Throws NumericalError: the last jitter has failed.
[[noreturn]] void throw_indefinite();
/// The mean of a diagonal, of which a jitter is a part. Throws NumericalError where it is not finite.
double finite_mean(const Vector& diagonal);

/// A symmetric positive definite matrix M = L Lᵀ. On a device, all functions may throw OutOfDeviceMemory.
class DenseFactor {
 public:
  virtual ~DenseFactor() = default;
  /// The amount added to the diagonal of M.
  virtual double jitter() const = 0;
  /// M⁻¹ b
  virtual Matrix solve(ConstView b) const = 0;
};

/// A block of an inverse, factorised.
class BlockFactor : public DenseFactor {
 public:
  /// diag M⁻¹
  virtual Vector inverse_diagonal() const = 0;
};

/// C = K + σ²I of all rows, factorised.
class CovarianceFactor : public DenseFactor {
 public:
  /// L⁻¹ b
  virtual Matrix half_solve(ConstView b) const = 0;
  /// k*ᵀ C⁻¹ k* of every point, with k* = k(X, x*) of any kernel.
  virtual Vector explained(const KernelProgram& program, ConstView points) const = 0;
};

/// A = C⁻¹, C = K + σ²I. V are some of its rows. On a device, all functions may throw OutOfDeviceMemory.
class DenseInverse {
 public:
  virtual ~DenseInverse() = default;
  /// The amount added to the diagonal of C.
  virtual double jitter() const = 0;
  /// A v
  virtual Matrix times(ConstView v) const = 0;
  /// A_V: v
  virtual Matrix rows_times(const std::vector<Index>& rows, ConstView v) const = 0;
  /// A_:V r
  virtual Matrix columns_times(const std::vector<Index>& rows, ConstView r) const = 0;
  /// A_VV
  virtual Matrix block(const std::vector<Index>& rows) const = 0;
  /// A_VV, factorised where A is stored; null where the host had better do so.
  virtual std::unique_ptr<BlockFactor> block_factor(const std::vector<Index>& rows) const = 0;
};

/// The inverse and the factor on a device; null where the host factorises. Throw NumericalError where C is not positive
/// definite even with the largest jitter, and OutOfDeviceMemory.
std::unique_ptr<DenseInverse> make_dense_inverse(const KernelProgram& program, ConstView x, double noise,
                                                 const ComputeOptions& options);
std::unique_ptr<CovarianceFactor> make_covariance_factor(const KernelProgram& program, const Matrix& x, double noise,
                                                         const ComputeOptions& options);

}  // namespace gpcv
