#include <limits>

#include "gpcv/posterior.hpp"
#include "operators/dense_kernel.hpp"
#include "operators/dense_memory.hpp"

namespace gpcv {

Vector cross_validation_residuals(const Problem& problem, const Folds& folds, const OperatorOptions& compute) {
  require_dense_memory(problem.x.rows(), 2, "cross-validation");
  Matrix c = dense_kernel(problem.kernel.lower(), problem.x, compute.threads);
  c.diagonal().array() += problem.noise.variance;
  const Matrix inverse = Cholesky(std::move(c), compute.threads).take_inverse();
  const Vector weights = inverse * problem.y;

  Vector residuals = Vector::Constant(problem.x.rows(), std::numeric_limits<double>::quiet_NaN());
  for (const Fold& fold : folds.folds) {
    // y_V − m_V = ([C⁻¹]_VV)⁻¹ [C⁻¹y]_V when everything outside V trains.
    const Matrix block = inverse(fold.validation, fold.validation);
    residuals(fold.validation) = Cholesky(block, compute.threads).solve(weights(fold.validation));
  }
  return residuals;
}

}  // namespace gpcv
