/// Solution of systems (K + D) x = b, and the status of iterations.
#pragma once

#include <string>
#include <string_view>

#include "gpcv/export.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Status of an iteration after its end.
enum class Status { not_run, converged, max_iterations, time_limit, stopped, numerical_failure };
/// Name of a status.
GPCV_EXPORT std::string_view name_of(Status status);

/// Cholesky factorisation of a symmetric positive definite matrix.
///
/// When the matrix is not numerically positive definite, a multiple of its mean diagonal is added,
/// 1e-12 at first and ten times more at each attempt up to 1e-4; jitter() returns the amount.
class GPCV_EXPORT Cholesky {
 public:
  /// Factorisation of `matrix`, of which the lower triangle is used. Throws NumericalError when the last jitter fails.
  explicit Cholesky(Matrix matrix, int threads = 1);

  /// Number of rows.
  Index size() const { return factor_.rows(); }
  /// Amount added to the diagonal; 0 when the matrix was positive definite.
  double jitter() const { return jitter_; }
  /// log det C.
  double log_determinant() const;
  /// Solution C⁻¹ b.
  Matrix solve(ConstView b) const;
  /// Solution L⁻¹ b.
  Matrix half_solve(ConstView b) const;
  /// Factor L in the lower triangle; the upper triangle is undefined.
  const Matrix& factor() const { return factor_; }
  /// Product L b, or L_bb b with the diagonal block of b.rows() rows from row `first` on.
  Matrix multiply_factor(ConstView b, Index first = 0) const;
  /// Inverse C⁻¹ with both triangles. The inverse takes over the memory of the factor, so this object becomes empty.
  Matrix take_inverse() &&;

 private:
  Matrix factor_;  ///< L in the lower triangle; the upper triangle is not used
  double jitter_ = 0;
  int threads_ = 1;
};

}  // namespace gpcv
