#include "trainers/admm/theta_step.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace gpcv {
namespace {

/// Length μ₁ of the constant step (12), and the rate of Adam, where the options give none.
constexpr double constant_step = 1e-4, adam_rate = 0.01;

/// Value of an option with one value for all parameters, or one per parameter.
double of_parameter(const std::vector<double>& values, Index i) {
  return values.size() == 1 ? values.front() : values[static_cast<std::size_t>(i)];
}

/// A point with the value of the Lagrangian; infinity outside the box or where the Lagrangian overflows.
struct Point {
  Evaluated at;
  double value = std::numeric_limits<double>::infinity();
};

Point point_at(const ThetaLagrangian& lagrangian, const Vector& q) {
  Point point;
  if (!q.allFinite() || !lagrangian.coordinates().inside(q)) return point;
  point.at = lagrangian.at(q);
  const double value = lagrangian.value(point.at);
  if (std::isfinite(value)) point.value = value;
  return point;
}

/// Armijo's rule: the first step t = start, start·shrink, start·shrink², … with L(q − t d) ≤ L(q) − slope · t · dᵀd.
/// Steps that would need L below its lower bound cannot satisfy the rule and are not evaluated. The result is empty if
/// every step is lost in rounding.
std::optional<Point> armijo_step(const ThetaLagrangian& lagrangian, const Point& from, const Vector& d, double start,
                                 const AdmmOptions& options) {
  const double most = from.value - lagrangian.lower_bound();
  for (double t = start;; t *= options.armijo_shrink) {
    const Vector q = from.at.q - t * d;
    const double decrease = options.armijo_slope * t * d.squaredNorm();
    if (q == from.at.q || !(from.value - decrease < from.value)) return std::nullopt;
    if (decrease > most) continue;
    Point next = point_at(lagrangian, q);
    if (next.value <= from.value - decrease) return next;
  }
}

/// Line minimisation: a minimum of L(q − t d) over t > 0. A bracket grows or shrinks by factors of two from the step
/// `start`, and golden sections then narrow it. The result is empty if no step decreases L.
std::optional<Point> line_step(const ThetaLagrangian& lagrangian, const Point& from, const Vector& d, double start) {
  const auto at = [&](double t) { return point_at(lagrangian, from.at.q - t * d); };
  double t = start;
  Point best = at(t);
  while (!(best.value < from.value)) {
    t /= 2;
    if (Vector(from.at.q - t * d) == from.at.q) return std::nullopt;
    best = at(t);
  }
  for (Point next = at(2 * t); next.value < best.value; next = at(2 * t)) {
    t *= 2;
    best = std::move(next);
  }
  // A minimum lies in (0, 2t).
  constexpr double golden = 0.6180339887498949, narrow = 1e-8;
  double left = 0, right = 2 * t;
  double inner = right - golden * (right - left), outer = left + golden * (right - left);
  Point a = at(inner), b = at(outer);
  while (right - left > narrow * right) {
    if (a.value < b.value) {
      right = std::exchange(outer, inner);
      b = std::move(a);
      inner = right - golden * (right - left);
      a = at(inner);
    } else {
      left = std::exchange(inner, outer);
      a = std::move(b);
      outer = left + golden * (right - left);
      b = at(outer);
    }
  }
  for (Point* candidate : {&a, &b}) {
    if (candidate->value < best.value) best = std::move(*candidate);
  }
  return best;
}

/// One step along −d by the rule of the options. (12): θ ← θ − μ₁ ∇L_ρ
std::optional<Point> step_along(const ThetaLagrangian& lagrangian, const Point& from, const Vector& d, double start,
                                const AdmmOptions& options) {
  switch (options.step_rule) {
    case StepRule::armijo:
      return armijo_step(lagrangian, from, d, start, options);
    case StepRule::line:
      return line_step(lagrangian, from, d, start);
    case StepRule::constant:
      break;
  }
  const Vector q = from.at.q - options.step_size.value_or(constant_step) * d;
  Point next = point_at(lagrangian, lagrangian.coordinates().clipped(q));
  return std::isfinite(next.value) ? std::optional(std::move(next)) : std::nullopt;
}

/// Coordinate descent: each coordinate in turn moves until its derivative is small.
ThetaMove by_coordinates(const ThetaLagrangian& lagrangian, Point at, const AdmmOptions& options) {
  ThetaMove move;
  for (Index i = 0; i < at.at.q.size(); ++i) {
    for (int step = 0;; ++step) {
      const double slope = lagrangian.gradient(at.at)(i);
      if (!std::isfinite(slope) || std::abs(slope) <= of_parameter(options.theta_tolerance, i)) break;
      if (step == options.most_theta_steps()) {
        move.limited = true;
        break;
      }
      std::optional<Point> next = step_along(lagrangian, at, slope * Vector::Unit(at.at.q.size(), i),
                                             of_parameter(options.armijo_start, i), options);
      if (!next) break;
      at = std::move(*next);
      ++move.steps;
    }
  }
  move.at = std::move(at.at);
  return move;
}

/// Whether every derivative is below its tolerance.
bool stationary(const Vector& gradient, const AdmmOptions& options) {
  for (Index i = 0; i < gradient.size(); ++i) {
    if (std::abs(gradient(i)) > of_parameter(options.theta_tolerance, i)) return false;
  }
  return true;
}

/// Gradient descent: steps along the whole gradient until every derivative is small.
ThetaMove by_gradient(const ThetaLagrangian& lagrangian, Point at, const AdmmOptions& options) {
  ThetaMove move;
  for (;; ++move.steps) {
    const Vector gradient = lagrangian.gradient(at.at);
    if (!gradient.allFinite() || stationary(gradient, options)) break;
    if (move.steps == options.most_theta_steps()) {
      move.limited = true;
      break;
    }
    std::optional<Point> next = step_along(lagrangian, at, gradient, options.armijo_start.front(), options);
    if (!next) break;
    at = std::move(*next);
  }
  move.at = std::move(at.at);
  return move;
}

/// Adam (Kingma and Ba, 2015), whose moments continue from sweep to sweep.
ThetaMove by_adam(const ThetaLagrangian& lagrangian, Point at, const AdmmOptions& options, AdamMoments& moments) {
  constexpr double decay1 = 0.9, decay2 = 0.999, tiny = 1e-8;
  const double rate = options.step_size.value_or(adam_rate);
  if (moments.first.size() == 0) moments.first = moments.second = Vector::Zero(at.at.q.size());
  ThetaMove move;
  for (; move.steps < options.most_theta_steps(); ++move.steps) {
    const Vector gradient = lagrangian.gradient(at.at);
    if (!gradient.allFinite() || stationary(gradient, options)) break;
    ++moments.steps;
    moments.first = decay1 * moments.first + (1 - decay1) * gradient;
    moments.second = decay2 * moments.second + (1 - decay2) * gradient.cwiseAbs2();
    const Vector mean = moments.first / (1 - std::pow(decay1, moments.steps));
    const Vector spread = (moments.second / (1 - std::pow(decay2, moments.steps))).cwiseSqrt().array() + tiny;
    Point next = point_at(lagrangian, lagrangian.coordinates().clipped(at.at.q - rate * mean.cwiseQuotient(spread)));
    if (!std::isfinite(next.value)) break;
    at = std::move(next);
  }
  move.at = std::move(at.at);
  return move;
}

}  // namespace

ThetaMove theta_step(const ThetaLagrangian& lagrangian, Evaluated start, const AdmmOptions& options,
                     AdamMoments& moments) {
  const double value = lagrangian.value(start);
  Point from{std::move(start), value};
  switch (options.theta_step) {
    case ThetaStep::coordinate:
      return by_coordinates(lagrangian, std::move(from), options);
    case ThetaStep::adam:
      return by_adam(lagrangian, std::move(from), options, moments);
    case ThetaStep::gradient:
    case ThetaStep::gauss_newton:  // takes z along and has no θ-step of its own
      break;
  }
  return by_gradient(lagrangian, std::move(from), options);
}

}  // namespace gpcv
