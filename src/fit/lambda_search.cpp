#include "fit/lambda_search.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "core/golden_section.hpp"
#include "data/columns/spread.hpp"
#include "evaluation/fold_evaluator.hpp"
#include "gpcv/error.hpp"
#include "problem/parameters.hpp"
#include "trainers/start/fold_score.hpp"

namespace gpcv {
namespace {

/// λ is found to about 0.01, to which it is rounded: the data do not determine it better.
constexpr double least_lambda = 0, largest_lambda = 2, lambdas_per_unit = 100;
constexpr int steps_of_lambda = 12;

template <class Cost>
TargetTransform with_best_lambda(TargetTransform transform, const Cost& cost) {
  const double found = golden_minimum(
                           [&](double lambda) {
                             transform.lambda = lambda;
                             return cost(transform);
                           },
                           least_lambda, largest_lambda, steps_of_lambda)
                           .first;
  transform.lambda = std::round(found * lambdas_per_unit) / lambdas_per_unit;
  return transform;
}

/// Predictive variances of the held-out rows at the problem's parameters; empty where they cannot be computed.
Vector held_out_variances(const std::shared_ptr<const Problem>& problem, int threads) {
  ComputeOptions compute;
  compute.solver = Solver::cholesky;
  compute.threads = threads;
  try {
    const std::unique_ptr<FoldEvaluator> evaluator = dense_evaluator(problem, compute, std::make_shared<Work>());
    verify_or_throw(*evaluator, *problem);
    return evaluator->variances({.kind = VarianceMethod::Kind::exact}, problem->x.rows());
  } catch (const NumericalError&) {
    return {};
  }
}

}  // namespace

TargetTransform with_marginal_lambda(TargetTransform transform, ConstVectorView y) {
  const auto n = static_cast<double>(y.size());
  return with_best_lambda(transform, [&](const TargetTransform& t) {
    double slopes = 0;
    for (const double value : y) slopes += std::log(t.derivative(value));
    return n * std::log(spread(t.forward(y)).deviation) - slopes;
  });
}

TargetTransform with_held_out_lambda(TargetTransform transform, ConstVectorView y, Problem problem,
                                     const Vector& row_scale, int threads) {
  const Vector variances = held_out_variances(std::make_shared<const Problem>(problem), threads);
  if (variances.size() == 0) return transform;
  const Vector theta = log_values(problem);
  return with_best_lambda(transform, [&](const TargetTransform& t) {
    // The scale of the kernel belongs to a target of variance 1.
    const Vector target = t.forward(y);
    const Spread found = spread(target);
    problem.y = (target.array() - found.mean) / found.deviation;
    if (row_scale.size() > 0) problem.y.array() *= row_scale.array();
    const std::optional<HeldOutScore> score = held_out_score(problem, theta, threads);
    if (!score) return std::numeric_limits<double>::infinity();
    const Vector residuals = problem.folds.by_row(score->residuals);
    double squares = 0, slopes = 0, rows = 0;
    for (Index i = 0; i < residuals.size(); ++i) {
      if (!std::isfinite(residuals(i)) || !(variances(i) > 0)) continue;
      squares += residuals(i) * residuals(i) / variances(i);
      slopes += std::log(t.derivative(y(i)));
      ++rows;
    }
    return 0.5 * rows * std::log(squares / rows) + rows * std::log(found.deviation) - slopes;
  });
}

}  // namespace gpcv
