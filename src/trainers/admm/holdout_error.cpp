#include "trainers/admm/holdout_error.hpp"

#include <algorithm>
#include <cmath>

#include "trainers/common/levenberg_marquardt.hpp"

namespace gpcv {
namespace {

/// Accuracy of the residuals: the copies of a consensus are compared to many digits.
constexpr double residual_accuracy = 1e-7;
/// Jᵀr is the gradient: near the optimum r is almost orthogonal to J, and the errors of J must stay below what is left.
constexpr double jacobian_residual = 1e-6;

}  // namespace

std::shared_ptr<const Problem> with_fold(const Problem& problem, const Fold& fold) {
  auto one = std::make_shared<Problem>(problem);
  one->folds = {problem.folds.rows, {fold}, problem.folds.description};
  return one;
}

HoldoutError::HoldoutError(const Problem& problem, const Fold& fold, const Coordinates& coordinates, Index rank,
                           const ComputeOptions& compute)
    : coordinates_(coordinates) {
  const auto columns = static_cast<Index>(theta_names(problem.kernel, problem.noise).size());
  evaluator_ = iterative_evaluator(with_fold(problem, fold), {.rank = rank, .columns = std::max<Index>(1, columns)},
                                   compute, std::make_shared<Work>());
}

ErrorPoint HoldoutError::at(const Vector& q, const QuadraticPenalty& penalty) {
  const double f = evaluator_->evaluate(coordinates_.to_log(q), residual_accuracy);
  return {q, f + penalty.value(q), f};
}

/// Normal equations in q, by the chain rule from those in log θ.
NormalEquations HoldoutError::normal(const Vector& q) {
  evaluator_->accept();
  NormalEquations n = evaluator_->normal(jacobian_residual);
  const Vector chain = coordinates_.chain(q);
  n.jtj = chain.asDiagonal() * n.jtj * chain.asDiagonal();
  n.jtr = n.jtr.cwiseProduct(chain);
  return n;
}

void HoldoutError::differentiate(const Vector& q) {
  const NormalEquations n = normal(q);
  curvature_ = 2 * n.jtj;
  gradient_ = 2 * n.jtr;
}

ErrorPoint HoldoutError::minimize(const Vector& from, const QuadraticPenalty& penalty, int steps) {
  ErrorPoint start = at(from, penalty);
  if (!std::isfinite(start.value)) return start;
  damping_ = std::min(damping_, 0.1);  // with another penalty the old damping says little
  Vector last = from, linearised;
  bool first = true;
  const auto evaluate = [&](const Vector& q) {
    last = q;
    return at(q, penalty);
  };
  // Each point that is linearised is the one that was evaluated last.
  const auto linearise = [&](const ErrorPoint& point) {
    NormalEquations n = normal(point.q);
    linearised = point.q;
    if (first) {
      curvature_ = 2 * n.jtj;
      gradient_ = 2 * n.jtr;
      first = false;
    }
    n.jtj += penalty.weight();
    n.jtr += 0.5 * penalty.gradient(point.q);
    return n;
  };
  ErrorPoint end =
      levenberg_marquardt(start, evaluate, linearise, [&](const Vector& q) { return coordinates_.clipped(q); },
                          coordinates_.chain(from).cwiseInverse(), damping_,
                          {.steps = steps, .tries = 4 * steps, .decrease = 1e-10, .shortest = 1e-6});
  if (last == end.q && linearised != end.q) evaluator_->accept();
  return end;
}

}  // namespace gpcv
