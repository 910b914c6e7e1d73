/// Damped Gauss–Newton on a sum of squares, for a few parameters and any number of residuals.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "evaluation/normal_equations.hpp"

namespace gpcv {

/// Proposes steps inside a box and adapts their damping to how they turn out.
class LevenbergMarquardt {
 public:
  using Clip = std::function<Vector(const Vector&)>;

  /// A candidate for the next point.
  struct Trial {
    Vector q;
    Vector step;             ///< from the current point, inside the box
    double promised = 0;     ///< decrease of the sum of squares by the linear model
    double full_length = 0;  ///< largest coordinate of the step before it was shortened, in units
  };

  /// damping: μ, kept by the caller between calls. unit: the scale of each coordinate. longest: largest coordinate of a
  /// step, in units. least_gain: part of the promised decrease that an accepted step reaches.
  LevenbergMarquardt(double& damping, Clip clip, Vector unit, double longest, double least_gain = 0)
      : damping_(damping), clip_(std::move(clip)), unit_(std::move(unit)), longest_(longest), least_gain_(least_gain) {}

  /// The step of (JᵀJ + μ diag(JᵀJ)) s = −Jᵀr from q, shortened and clipped; not finite where that cannot be solved.
  Trial propose(const NormalEquations& equations, const Vector& q) const;
  /// The decrease that the undamped step promises: what is left to gain. NaN where that cannot be solved.
  double left_to_gain(const NormalEquations& equations, const Vector& q) const;

  /// Whether the value has decreased enough; then the damping follows how well the promise was kept.
  bool accept(const Trial& trial, double before, double after);
  /// A rejected step is followed by a shorter one.
  void shorten();

 private:
  Vector solve(const NormalEquations& equations, const Vector& q, double damping) const;

  double& damping_;
  Clip clip_;
  Vector unit_;
  double longest_, least_gain_;
};

struct LevenbergMarquardtOptions {
  int steps = 3;           ///< accepted ones at the most
  int tries = 12;          ///< evaluations at the most
  double longest = 1;      ///< largest change of a coordinate in one step, in units of `unit`
  double decrease = 1e-8;  ///< relative decrease of the value that ends it
  double shortest = 1e-4;  ///< step that ends it, in units of `unit`
};

/// Minimises a sum of squares. Point has members q (Vector) and value (double), which is not finite where it cannot be
/// evaluated. evaluate(q) → Point, normal(point) → NormalEquations, clip(q) → q inside the box. The value never grows.
template <class Point, class Evaluate, class Normal, class Clip>
Point levenberg_marquardt(Point at, const Evaluate& evaluate, const Normal& normal, const Clip& clip,
                          const Vector& unit, double& damping, const LevenbergMarquardtOptions& options) {
  LevenbergMarquardt method(damping, clip, unit, options.longest);
  NormalEquations equations = normal(at);
  int accepted = 0;
  for (int tried = 0; tried < options.tries; ++tried) {
    const LevenbergMarquardt::Trial trial = method.propose(equations, at.q);
    if (!trial.q.allFinite() || trial.q == at.q) break;
    Point next = evaluate(trial.q);
    if (!method.accept(trial, at.value, next.value)) {
      method.shorten();
      continue;
    }
    const bool enough =
        at.value - next.value <= options.decrease * std::abs(at.value) || trial.full_length < options.shortest;
    at = std::move(next);
    if (++accepted == options.steps || enough) break;
    equations = normal(at);
  }
  return at;
}

}  // namespace gpcv
