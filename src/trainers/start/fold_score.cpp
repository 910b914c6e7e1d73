#include "trainers/start/fold_score.hpp"

#include <cmath>

#include "gpcv/error.hpp"
#include "problem/fold_targets.hpp"
#include "problem/parameters.hpp"
#include "solvers/dense_cross_validation.hpp"

namespace gpcv {

std::optional<HeldOutScore> held_out_score(const Problem& problem, const Vector& log_theta, int threads) {
  try {
    ComputeOptions compute;
    compute.threads = threads;
    compute.backend = "simd";  // starts are few rows, scored by many threads at once
    const Problem all = over_all_targets(problem);
    const DenseCrossValidation folds(kernel_at(problem, log_theta).lower(), noise_at(problem, log_theta), all.x,
                                     targets_of_folds(all), all.fold_targets, all.folds, compute);
    const double squares = folds.residuals().squaredNorm();
    if (!std::isfinite(squares)) return std::nullopt;
    return HeldOutScore{log_theta, squares, folds.residuals()};
  } catch (const NumericalError&) {
    return std::nullopt;
  }
}

double held_out_power(const Problem& problem) {
  double sum = 0;
  const ConstView targets = all_targets(problem);
  for (const Fold& fold : problem.folds.folds) sum += targets(fold.validation, Eigen::all).squaredNorm();
  return sum;
}

}  // namespace gpcv
