/// The θ-step of ADMM: decreases L_ρ(θ, z, λ) for fixed z and λ.
#pragma once

#include "trainers/admm/lagrangian.hpp"

namespace gpcv {

/// From `start`, inside the coordinates' box; the value never grows.
Evaluated theta_step(const ThetaLagrangian& lagrangian, Evaluated start, const AdmmOptions& options);

}  // namespace gpcv
