/// The θ-step of ADMM: decreases L_ρ(θ, z, λ) for fixed z and λ.
#pragma once

#include "trainers/admm/lagrangian.hpp"

namespace gpcv {

/// Performs the θ-step from `start` inside the box of the coordinates; L_ρ never increases.
Evaluated theta_step(const ThetaLagrangian& lagrangian, Evaluated start, const AdmmOptions& options);

}  // namespace gpcv
