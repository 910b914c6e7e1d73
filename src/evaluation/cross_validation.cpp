#include <algorithm>
#include <limits>

#include "evaluation/conditioning.hpp"
#include "gpcv/posterior.hpp"
#include "solvers/dense_cross_validation.hpp"

namespace gpcv {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// All folds as columns of one batch, or of a few when memory is short; K z_k is the prediction of fold k.
Vector by_fold_system(const Problem& problem, const Folds& folds, const IterativePlan& plan,
                      const ComputeOptions& compute) {
  const IterativeSystem iterative(problem, &folds, plan, compute);
  const FoldSystem& system = *iterative.system;
  const Matrix y = system.sorted(problem.y);
  Vector residuals = Vector::Constant(problem.x.rows(), nan);
  for (Index first = 0; first < folds.size(); first += plan.columns) {
    std::vector<int> of;
    for (Index k = first; k < std::min(first + plan.columns, folds.size()); ++k) of.push_back(static_cast<int>(k));
    const auto columns = static_cast<Index>(of.size());
    Matrix b = y.replicate(1, columns), z = Matrix::Zero(y.rows(), columns), predicted(y.rows(), columns);
    system.mask(b, of);
    iterative.solve(b, of, z, final_residual(problem.x.rows()));
    system.predict(z, of, predicted, Arithmetic::exact);
    const Matrix mean = system.unsorted(predicted);
    for (Index c = 0; c < columns; ++c) {
      const std::vector<Index>& rows = folds.folds[static_cast<std::size_t>(first + c)].validation;
      residuals(rows) = problem.y(rows) - mean(rows, c);
    }
  }
  return residuals;
}

}  // namespace

Vector cross_validation_residuals(const Problem& problem, const Folds& folds, const ComputeOptions& compute) {
  const ExecutionPlan plan = plan_solves(shape_of(problem, folds), compute);
  if (plan.solver != Solver::cholesky) return by_fold_system(problem, folds, plan.iterative, compute);
  const DenseCrossValidation dense(problem.kernel.lower(), problem.noise.variance, problem.x, problem.y, folds,
                                   compute);
  return folds.by_row(dense.residuals());
}

}  // namespace gpcv
