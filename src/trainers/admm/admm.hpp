/// Hold-out cross-validation by ADMM, and its average over folds.
#pragma once

#include "trainers/common/trainer_traits.hpp"

namespace gpcv {

/// Every fold by itself, then the mean of their θ (of log θ when that is what moves). One fold is the paper's hold-out
/// scheme, several its naive K-fold scheme.
TrainResult train_admm(const Problem& problem, const TrainOptions& options, const Observer& observer);

/// The θ-step of the options, in words.
std::string admm_steps(const TrainOptions& options);

/// One hold-out split.
TrainerTraits admm_traits();
/// Any folds.
TrainerTraits naive_traits();

}  // namespace gpcv
