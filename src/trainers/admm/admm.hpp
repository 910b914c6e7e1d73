/// Hold-out cross-validation by ADMM, and its average over folds.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "trainers/common/trainer_traits.hpp"

namespace gpcv {

/// Trains every fold separately, then averages their θ (or log θ, if that is the optimised variable). One fold gives
/// the paper's hold-out scheme, several folds its naive K-fold scheme.
TrainResult train_admm(const Problem& problem, const TrainOptions& options, const Observer& observer);

/// Description of the θ-step that the options select.
std::string admm_steps(const TrainOptions& options);

/// Names of the settings that all ADMM trainers have, and `more`.
std::vector<std::string_view> admm_settings(std::initializer_list<std::string_view> more);

/// Traits of the trainer for one hold-out split.
TrainerTraits admm_traits();
/// Traits of the trainer for any number of folds.
TrainerTraits naive_traits();

}  // namespace gpcv
