/// The paper's principled K-fold scheme: local copies of θ that must agree.
#pragma once

#include "trainers/common/trainer_traits.hpp"

namespace gpcv {

/// min Σ_k l_k(θ_k) subject to θ_k = θ̄, by ADMM in log θ:
///   θ_k ← argmin l_k(θ_k) + w_kᵀ(θ_k − θ̄) + ½ (θ_k − θ̄)ᵀ M (θ_k − θ̄)
///   θ̄  ← mean_k(θ_k + M⁻¹w_k)
///   w_k ← w_k + M (θ_k − θ̄)
/// with M = ρ times the mean curvature 2 JᵀJ of the l_k: the paper's scalar penalty after a change of coordinates in
/// which all directions are equally stiff.
TrainResult train_consensus(const Problem& problem, const TrainOptions& options, const Observer& observer);

TrainerTraits consensus_traits();

}  // namespace gpcv
