/// The damped Gauss–Newton method for a sum of squares, for a few parameters and any number of residuals.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "evaluation/normal_equations.hpp"

namespace gpcv {

/// Levenberg–Marquardt method, which proposes steps inside a box and adapts the damping to their success.
class LevenbergMarquardt {
 public:
  using Clip = std::function<Vector(const Vector&)>;

  /// Candidate for the next point.
  struct Trial {
    Vector q;
    Vector step;             ///< step from the current point, inside the box
    double promised = 0;     ///< decrease of the sum of squares that the linear model predicts
    double full_length = 0;  ///< largest coordinate of the step before it was shortened, in units
  };

  /// The caller keeps the damping μ between calls. `unit` is the scale of each coordinate, `longest` the largest
  /// coordinate of a step in units, and `least_gain` the smallest fraction of the predicted decrease that is accepted.
  LevenbergMarquardt(double& damping, Clip clip, Vector unit, double longest, double least_gain = 0)
      : damping_(damping), clip_(std::move(clip)), unit_(std::move(unit)), longest_(longest), least_gain_(least_gain) {}

  /// Step s from q with (JᵀJ + μ diag(JᵀJ)) s = −Jᵀr, shortened and clipped; it is not finite if the system cannot be
  /// solved.
  Trial propose(const NormalEquations& equations, const Vector& q) const;
  /// Decrease that the undamped step predicts, an estimate of the remaining gain; NaN if the system cannot be solved.
  double left_to_gain(const NormalEquations& equations, const Vector& q) const;

  /// Whether the value has decreased enough; if so, the damping is adapted to the quality of the prediction.
  bool accept(const Trial& trial, double before, double after);
  /// Increases the damping after a rejected step, so that the next step is shorter.
  void shorten();

 private:
  Vector solve(const NormalEquations& equations, const Vector& q, double damping) const;

  double& damping_;
  Clip clip_;
  Vector unit_;
  double longest_, least_gain_;
};

struct LevenbergMarquardtOptions {
  int steps = 3;           ///< largest number of accepted steps
  int tries = 12;          ///< largest number of evaluations
  double longest = 1;      ///< largest change of a coordinate in one step, in units of `unit`
  double decrease = 1e-8;  ///< relative decrease of the value at which the iteration ends
  double shortest = 1e-4;  ///< step length at which the iteration ends, in units of `unit`
};

/// Minimises a sum of squares; the value never increases. Point has members q (Vector) and value (double), which is not
/// finite if the point cannot be evaluated. evaluate(q) → Point, normal(point) → NormalEquations, clip(q) → q inside
/// the box.
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
