#include "trainers/admm/theta_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trainers/common/levenberg_marquardt.hpp"

namespace gpcv {
namespace {

constexpr int most_coordinate_steps = 200;  ///< limit per coordinate and θ-step
constexpr int most_gradient_steps = 50;
constexpr int adam_steps = 25;
constexpr int most_halvings = 60;

/// Value of the Lagrangian at q; infinity outside the box or if the Lagrangian overflows.
double value_or_infinity(const ThetaLagrangian& lagrangian, const Vector& q, Evaluated& out) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!q.allFinite() || !lagrangian.coordinates().inside(q)) return infinity;
  out = lagrangian.at(q);
  const double value = lagrangian.value(out);
  return std::isfinite(value) ? value : infinity;
}

/// Armijo line search for the first step t = start, start·shrink, start·shrink², … with
/// L(q − t d) ≤ L(q) − slope · t · dᵀd. Most of these steps are too long, so that the search begins at the previous
/// step: it lengthens the step while the condition holds and shortens it while it does not. It finds the same step if
/// all shorter ones satisfy the condition too, with three evaluations instead of twenty.
class Armijo {
 public:
  Armijo(const ThetaLagrangian& lagrangian, const AdmmOptions& options) : lagrangian_(lagrangian), options_(options) {}

  /// Takes the step; returns false if no step satisfies the condition.
  bool step(const Vector& direction, Evaluated& at, double& value) {
    bool found = false;
    Evaluated best;
    double reached = 0;
    auto holds = [&](int halvings) {
      const double t = options_.armijo_start * std::pow(options_.armijo_shrink, halvings);
      const Vector q = at.q - t * direction;
      if (q == at.q) return false;  // the step is lost in rounding
      Evaluated next;
      const double trial = value_or_infinity(lagrangian_, q, next);
      if (!(trial <= value - options_.armijo_slope * t * direction.squaredNorm())) return false;
      found = true;
      best = std::move(next);
      reached = trial;
      halvings_ = halvings;
      return true;
    };
    if (holds(halvings_)) {
      while (halvings_ > 0 && holds(halvings_ - 1)) {
      }
    } else {
      const int from = halvings_;
      for (int halvings = from + 1; halvings < most_halvings && !found; ++halvings) holds(halvings);
      // No shorter step holds; rounding may have made the first one too short, so that longer steps are tried.
      for (int halvings = 0; halvings < from && !found; ++halvings) holds(halvings);
    }
    if (!found) return false;
    at = std::move(best);
    value = reached;
    return true;
  }

 private:
  const ThetaLagrangian& lagrangian_;
  const AdmmOptions& options_;
  int halvings_ = 0;  ///< number of halvings of the last step
};

Evaluated by_coordinates(const ThetaLagrangian& lagrangian, Evaluated at, const AdmmOptions& options) {
  double value = lagrangian.value(at);
  for (Index i = 0; i < at.q.size(); ++i) {
    Armijo armijo(lagrangian, options);
    for (int step = 0; step < most_coordinate_steps; ++step) {
      const double slope = lagrangian.gradient(at)(i);
      if (!(std::abs(slope) > options.coordinate_gradient)) break;
      if (!armijo.step(slope * Vector::Unit(at.q.size(), i), at, value)) break;
    }
  }
  return at;
}

Evaluated by_gradient(const ThetaLagrangian& lagrangian, Evaluated at, const AdmmOptions& options) {
  double value = lagrangian.value(at);
  Armijo armijo(lagrangian, options);
  for (int step = 0; step < most_gradient_steps; ++step) {
    const Vector gradient = lagrangian.gradient(at);
    if (!(gradient.cwiseAbs().maxCoeff() > options.coordinate_gradient)) break;
    if (!armijo.step(gradient, at, value)) break;
  }
  return at;
}

/// Adam with steps of about one per cent in each coordinate. It returns the best point, so that the value never
/// increases.
Evaluated by_adam(const ThetaLagrangian& lagrangian, const Evaluated& start) {
  constexpr double rate = 0.01, decay1 = 0.9, decay2 = 0.999, tiny = 1e-12;
  const Vector scale =
      lagrangian.coordinates().raw() ? Vector(start.q.cwiseAbs()) : Vector(Vector::Ones(start.q.size()));
  Vector first = Vector::Zero(start.q.size()), second = first, q = start.q;
  Evaluated at = start, best = start;
  double best_value = lagrangian.value(start);
  for (int step = 1; step <= adam_steps; ++step) {
    const Vector gradient = lagrangian.gradient(at).cwiseProduct(scale);
    first = decay1 * first + (1 - decay1) * gradient;
    second = decay2 * second + (1 - decay2) * gradient.cwiseAbs2();
    const Vector corrected = first / (1 - std::pow(decay1, step));
    const Vector spread = (second / (1 - std::pow(decay2, step))).cwiseSqrt();
    q = lagrangian.coordinates().clipped(
        q - rate * scale.cwiseProduct(corrected.cwiseQuotient(Vector(spread.array() + tiny))));
    const double value = value_or_infinity(lagrangian, q, at);
    if (!std::isfinite(value)) break;
    if (value < best_value) {
      best_value = value;
      best = at;
    }
  }
  return best;
}

struct Trial {
  Vector q;
  double value = 0;
  Evaluated at;
};

Evaluated by_gauss_newton(const ThetaLagrangian& lagrangian, const Evaluated& start) {
  const Coordinates& coordinates = lagrangian.coordinates();
  auto evaluate = [&](const Vector& q) {
    Trial trial{q, 0, {}};
    trial.value = value_or_infinity(lagrangian, q, trial.at);
    return trial;
  };
  double damping = 1e-4;
  return levenberg_marquardt(
             Trial{start.q, lagrangian.value(start), start}, evaluate,
             [&](const Trial& trial) { return lagrangian.normal_equations(trial.at); },
             [&](const Vector& q) { return coordinates.clipped(q); }, coordinates.chain(start.q).cwiseInverse(),
             damping, {})
      .at;
}

}  // namespace

Evaluated theta_step(const ThetaLagrangian& lagrangian, Evaluated start, const AdmmOptions& options) {
  switch (options.theta_step) {
    case ThetaStep::coordinate:
      return by_coordinates(lagrangian, std::move(start), options);
    case ThetaStep::gradient:
      return by_gradient(lagrangian, std::move(start), options);
    case ThetaStep::adam:
      return by_adam(lagrangian, start);
    case ThetaStep::gauss_newton:
      break;
  }
  return by_gauss_newton(lagrangian, start);
}

}  // namespace gpcv
