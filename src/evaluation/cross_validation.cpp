/// Cross-validation of a problem at its own hyper-parameters.
#include <fmt/format.h>

#include <cmath>

#include "evaluation/conditioning.hpp"
#include "evaluation/fold_evaluator.hpp"
#include "gpcv/error.hpp"
#include "problem/parameters.hpp"

namespace gpcv {

std::unique_ptr<FoldEvaluator> make_evaluator(std::shared_ptr<const Problem> problem, const ComputeOptions& compute,
                                              std::shared_ptr<Work> work) {
  const ExecutionPlan plan = plan_solves(shape_of(*problem, problem->folds), compute);
  if (plan.solver == Solver::cholesky) return dense_evaluator(std::move(problem), compute, std::move(work));
  return iterative_evaluator(std::move(problem), plan.iterative, compute, std::move(work));
}

double verify_or_throw(FoldEvaluator& evaluator, const Problem& problem) {
  const double value = evaluator.verify(log_values(problem));
  if (std::isfinite(value)) return value;
  if (!evaluator.iterates()) throw NumericalError("the covariance matrix could not be factorised: raise the noise");
  throw_unsolved(evaluator.residual(), final_residual(problem.x.rows()), evaluator.iterations());
}

Vector cross_validation_residuals(const Problem& problem, const Folds& folds, const ComputeOptions& compute) {
  const auto with_folds = std::make_shared<Problem>(problem);
  with_folds->folds = folds;
  const auto evaluator = make_evaluator(with_folds, compute);
  verify_or_throw(*evaluator, problem);
  return folds.by_row(evaluator->residuals());
}

}  // namespace gpcv
