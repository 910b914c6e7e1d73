/// Solutions of (K + D) x = b, each with an honest account of how it was reached.
#pragma once

#include <string>
#include <string_view>

#include "gpcv/export.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// How an iteration ended.
enum class Status { not_run, converged, max_iterations, time_limit, stopped, numerical_failure };
GPCV_EXPORT std::string_view name_of(Status status);

/// Cholesky factorisation of a symmetric positive definite matrix.
///
/// When the matrix is not numerically positive definite, a multiple of its mean diagonal is added,
/// 1e-12 at first and ten times more at each try up to 1e-4; jitter() tells how much was needed.
class GPCV_EXPORT Cholesky {
 public:
  /// Factorises; the lower triangle of `matrix` is used. Throws NumericalError past the last jitter.
  explicit Cholesky(Matrix matrix, int threads = 1);

  Index size() const { return factor_.rows(); }
  /// Added to the diagonal; 0 when the matrix was positive definite as given.
  double jitter() const { return jitter_; }
  double log_determinant() const;
  /// C⁻¹ b
  Matrix solve(ConstView b) const;
  /// L⁻¹ b
  Matrix half_solve(ConstView b) const;
  /// L in the lower triangle; what stands above it means nothing.
  const Matrix& factor() const { return factor_; }
  /// L b, or L_bb b for the diagonal block of b.rows() rows from row `first` on.
  Matrix multiply_factor(ConstView b, Index first = 0) const;
  /// C⁻¹, both triangles. Leaves this object empty: the factor's memory becomes the inverse.
  Matrix take_inverse() &&;

 private:
  Matrix factor_;  ///< L in the lower triangle; the upper one is not used
  double jitter_ = 0;
  int threads_ = 1;
};

}  // namespace gpcv
