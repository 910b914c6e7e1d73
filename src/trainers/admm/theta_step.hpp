/// The θ-step of ADMM with z and λ fixed.
#pragma once

#include "trainers/admm/lagrangian.hpp"

namespace gpcv {

/// Moments of Adam, which a sweep hands on to the next.
struct AdamMoments {
  Vector first, second;  ///< running means of the gradient and of its squares; empty before the first step
  int steps = 0;         ///< number of steps so far
};

/// Result of a θ-step.
struct ThetaMove {
  Evaluated at;          ///< point that was reached
  int steps = 0;         ///< number of steps, over all coordinates
  bool limited = false;  ///< the limit of steps ended it before its tolerance
};

/// Performs the θ-step from `start` inside the box of the coordinates. With Armijo's rule and line minimisation L_ρ
/// never increases.
ThetaMove theta_step(const ThetaLagrangian& lagrangian, Evaluated start, const AdmmOptions& options,
                     AdamMoments& moments);

}  // namespace gpcv
