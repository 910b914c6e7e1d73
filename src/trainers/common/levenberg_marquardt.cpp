#include "trainers/common/levenberg_marquardt.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <numeric>
#include <vector>

namespace gpcv {
namespace {

/// Largest damping; the steps of a larger one would be lost in rounding.
constexpr double most_damping = 1e6;
/// Smallest damping after a rejected step; below it, a tenfold increase hardly changes the step.
constexpr double least_damping_after_rejection = 1e-3;
/// Damping of the nominally undamped step, which keeps the equations solvable.
constexpr double undamped = 1e-12;

/// Decrease −(2 sᵀJᵀr + sᵀJᵀJ s) that the linear model predicts.
double promised_decrease(const NormalEquations& equations, const Vector& step) {
  return -(2 * equations.jtr.dot(step) + step.dot(equations.jtj * step));
}

}  // namespace

Vector LevenbergMarquardt::solve(const NormalEquations& equations, const Vector& q, double damping) const {
  std::vector<Index> free(static_cast<std::size_t>(q.size()));
  std::iota(free.begin(), free.end(), Index{0});
  Vector step = Vector::Zero(q.size());
  // Coordinates that the box blocks are removed from the system, which is solved again for the others.
  while (!free.empty()) {
    Matrix system = equations.jtj(free, free);
    system.diagonal() *= 1 + damping;
    system.diagonal().array() += std::numeric_limits<double>::min();
    step.setZero();
    step(free) = -system.ldlt().solve(Vector(equations.jtr(free)));
    const Vector reached = clip_(q + step);
    const auto blocked = [&](Index i) { return step(i) != 0 && reached(i) == q(i); };
    if (std::erase_if(free, blocked) == 0) break;
  }
  if (free.empty()) step.setZero();
  return step;
}

LevenbergMarquardt::Trial LevenbergMarquardt::propose(const NormalEquations& equations, const Vector& q) const {
  Vector step = solve(equations, q, damping_);
  if (!step.allFinite()) return {step, step, 0, 0};
  const double length = step.cwiseQuotient(unit_).cwiseAbs().maxCoeff();
  if (length > longest_) step *= longest_ / length;
  Trial trial{clip_(q + step), {}, 0, length};
  trial.step = trial.q - q;
  trial.promised = promised_decrease(equations, trial.step);
  return trial;
}

double LevenbergMarquardt::left_to_gain(const NormalEquations& equations, const Vector& q) const {
  const Vector newton = solve(equations, q, undamped);
  return newton.allFinite() ? promised_decrease(equations, newton) : std::numeric_limits<double>::quiet_NaN();
}

bool LevenbergMarquardt::accept(const Trial& trial, double before, double after) {
  const double decrease = before - after;
  if (!std::isfinite(after) || !(decrease > least_gain_ * std::max(trial.promised, 0.0))) return false;
  // A decrease far below the prediction means that the model underestimates the curvature, so that the next steps are
  // shortened.
  const double kept = decrease / std::max(trial.promised, std::numeric_limits<double>::min());
  if (kept > 0.75) damping_ = std::max(1e-9, damping_ / 10);
  if (kept < 0.25) damping_ = std::clamp(4 * damping_, 0.1, most_damping);
  return true;
}

void LevenbergMarquardt::shorten() {
  damping_ = std::clamp(10 * damping_, least_damping_after_rejection, most_damping);
}

}  // namespace gpcv
