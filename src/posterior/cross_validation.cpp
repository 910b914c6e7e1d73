#include <algorithm>
#include <limits>

#include "gpcv/posterior.hpp"
#include "posterior/conditioning.hpp"

namespace gpcv {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// y_V − m_V = ([C⁻¹]_VV)⁻¹ [C⁻¹y]_V when everything outside V trains.
Vector by_one_inverse(const Problem& problem, const Folds& folds, int threads) {
  const Matrix inverse = factorise(problem.kernel.lower(), problem.x, problem.noise.variance, threads).take_inverse();
  const Vector weights = inverse * problem.y;
  Vector residuals = Vector::Constant(problem.x.rows(), nan);
  for (const Fold& fold : folds.folds) {
    residuals(fold.validation) =
        Cholesky(inverse(fold.validation, fold.validation), threads).solve(weights(fold.validation));
  }
  return residuals;
}

/// All folds as columns of one batch, or of a few when memory is short; K z_k is the prediction of fold k.
Vector by_fold_system(const Problem& problem, const Folds& folds, const MemoryPlan& plan,
                      const ComputeOptions& compute) {
  const IterativeSystem iterative(problem, &folds, plan, compute);
  const FoldSystem& system = *iterative.system;
  const Matrix y = system.sorted(problem.y);
  Vector residuals = Vector::Constant(problem.x.rows(), nan);
  for (Index first = 0; first < folds.size(); first += plan.columns) {
    std::vector<int> of;
    for (Index k = first; k < std::min(first + plan.columns, folds.size()); ++k) of.push_back(static_cast<int>(k));
    const auto columns = static_cast<Index>(of.size());
    Matrix b = y.replicate(1, columns), z(y.rows(), columns), predicted(y.rows(), columns);
    system.mask(b, of);
    iterative.solve(b, of, z, 1e-6);
    system.predict(z, of, predicted, Arithmetic::exact);
    const Matrix mean = system.unsorted(predicted);
    for (Index c = 0; c < columns; ++c) {
      const std::vector<Index>& rows = folds.folds[static_cast<std::size_t>(first + c)].validation;
      residuals(rows) = problem.y(rows) - mean(rows, c);
    }
  }
  return residuals;
}

/// Whether each fold trains on exactly the rows it does not validate.
bool trains_the_rest(const Folds& folds) {
  return std::all_of(folds.folds.begin(), folds.folds.end(), [&](const Fold& fold) {
    return static_cast<Index>(fold.training.size() + fold.validation.size()) == folds.rows;
  });
}

}  // namespace

Vector cross_validation_residuals(const Problem& problem, const Folds& folds, const ComputeOptions& compute) {
  ComputeOptions choice = compute;
  if (!trains_the_rest(folds)) choice.solver = Solver::cg;
  const MemoryPlan plan = plan_memory(memory_request(problem, folds.size(), folds.size(), choice));
  return plan.solver == Solver::cholesky ? by_one_inverse(problem, folds, compute.threads)
                                         : by_fold_system(problem, folds, plan, choice);
}

}  // namespace gpcv
