/// Damped Gauss–Newton on a sum of squares, for a few parameters and residuals of any number.
#pragma once

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "evaluation/normal_equations.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

struct LevenbergMarquardtOptions {
  int steps = 3;           ///< accepted ones at the most
  int tries = 12;          ///< evaluations at the most
  double longest = 1;      ///< largest change of a coordinate in one step, in units of `unit`
  double decrease = 1e-8;  ///< relative decrease of the value that ends it
  double shortest = 1e-4;  ///< step that ends it, in units of `unit`
};

/// (JᵀJ + μ diag(JᵀJ)) step = −JᵀR in the coordinates that the box lets move.
template <class Clip>
Vector damped_step(const NormalEquations& equations, const Vector& q, double damping, const Clip& clip) {
  std::vector<Index> free(static_cast<std::size_t>(q.size()));
  std::iota(free.begin(), free.end(), Index{0});
  Vector step = Vector::Zero(q.size());
  while (!free.empty()) {
    Matrix system = equations.jtj(free, free);
    system.diagonal() *= 1 + damping;
    system.diagonal().array() += std::numeric_limits<double>::min();
    step.setZero();
    step(free) = -system.ldlt().solve(Vector(equations.jtr(free)));
    const Vector reached = clip(q + step);
    const auto blocked = [&](Index i) { return step(i) != 0 && reached(i) == q(i); };
    if (std::erase_if(free, blocked) == 0) break;
  }
  if (free.empty()) step.setZero();
  return step;
}

/// Point has members q (Vector) and value (double), and is not finite where it cannot be evaluated.
/// evaluate(q) → Point, normal(point) → NormalEquations, clip(q) → q inside the box. `unit` gives each coordinate's
/// scale; `damping` is kept between calls. The value never grows.
template <class Point, class Evaluate, class Normal, class Clip>
Point levenberg_marquardt(Point at, const Evaluate& evaluate, const Normal& normal, const Clip& clip,
                          const Vector& unit, double& damping, const LevenbergMarquardtOptions& options) {
  constexpr double most_damping = 1e6;  // a step shorter than this makes it would be lost in rounding
  NormalEquations equations = normal(at);
  int accepted = 0;
  for (int tried = 0; tried < options.tries; ++tried) {
    Vector step = damped_step(equations, at.q, damping, clip);
    if (!step.allFinite()) break;
    const double longest = step.cwiseQuotient(unit).cwiseAbs().maxCoeff();
    if (longest > options.longest) step *= options.longest / longest;
    const Vector q = clip(at.q + step);
    if (q == at.q) break;
    Point next = evaluate(q);
    if (!(next.value < at.value)) {
      damping = std::clamp(10 * damping, 1e-6, most_damping);
      continue;
    }
    // Where the model promised much more than came of it, its curvature is too small: shorter steps.
    const Vector taken = q - at.q;
    const double promised = -(2 * equations.jtr.dot(taken) + taken.dot(equations.jtj * taken));
    const double gain = (at.value - next.value) / std::max(promised, std::numeric_limits<double>::min());
    const bool enough = at.value - next.value <= options.decrease * std::abs(at.value) || longest < options.shortest;
    at = std::move(next);
    if (gain > 0.75) damping = std::max(1e-9, damping / 10);
    if (gain < 0.25) damping = std::clamp(4 * damping, 0.1, most_damping);
    if (++accepted == options.steps || enough) break;
    equations = normal(at);
  }
  return at;
}

}  // namespace gpcv
