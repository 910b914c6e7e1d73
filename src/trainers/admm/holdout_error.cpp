#include "trainers/admm/holdout_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gpcv {
namespace {

constexpr double weights_residual = 1e-8;
/// What rounding may leave where the noise is small.
constexpr double usable_residual = 1e-5;
/// Jᵀr is the gradient: near the optimum r is almost orthogonal to J, and what is left must not drown in errors of J.
constexpr double derivative_residual = 1e-6;

}  // namespace

ErrorPoint HoldoutError::at(const Vector& log_theta, const QuadraticPenalty& pull) {
  ErrorPoint point{log_theta, std::numeric_limits<double>::infinity(), {}, holdout_.at(log_theta), {}};
  solver_.follow(point.system, log_theta);
  const Holdout& data = holdout_.data();
  if (z_.size() == 0) z_ = Vector::Zero(data.y_t.size());
  const CgSummary summary = solver_.solve_covariance(*point.system, data.y_t, z_, weights_residual);
  if (summary.status != Status::converged && !(summary.residual <= usable_residual)) {
    z_.resize(0);
    return point;
  }
  point.z = z_;
  point.residual = data.y_v - point.system->predict(z_);
  point.value = point.residual.squaredNorm() + pull.value(log_theta);
  return point;
}

Matrix HoldoutError::jacobian(const ErrorPoint& point) {
  const HoldoutVectors d = point.system->derivatives(point.z, holdout_.noise_is_free());
  Matrix w = Matrix::Zero(d.t.rows(), d.t.cols());
  solver_.solve_covariance(*point.system, d.t, w, derivative_residual);
  return point.system->predict(w) - d.v;
}

ErrorPoint HoldoutError::minimize(const Vector& log_theta, const QuadraticPenalty& pull, int steps) {
  ErrorPoint start = at(log_theta, pull);
  if (!std::isfinite(start.value)) return start;
  damping_ = std::min(damping_, 0.1);  // another pull, another landscape
  bool first = true;
  auto normal = [&](const ErrorPoint& point) {
    const Matrix j = jacobian(point);
    NormalEquations n{j.transpose() * j, j.transpose() * point.residual};
    if (first) {
      curvature_ = 2 * n.jtj;
      gradient_ = 2 * n.jtr;
      first = false;
    }
    n.jtj += pull.weight();
    n.jtr += 0.5 * pull.gradient(point.q);
    return n;
  };
  return levenberg_marquardt(
      start, [&](const Vector& q) { return at(q, pull); }, normal,
      [&](const Vector& q) { return coordinates_.clipped(q); }, Vector::Ones(log_theta.size()), damping_,
      {.steps = steps, .tries = 4 * steps, .decrease = 1e-10, .shortest = 1e-6});
}

}  // namespace gpcv
