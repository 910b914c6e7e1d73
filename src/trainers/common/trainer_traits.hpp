/// What sets one trainer apart from the others. A new trainer has its own folder and one line of the table in
/// trainer_table.cpp; nothing else compares names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpcv/trainer.hpp"
#include "planning/execution_plan.hpp"

namespace gpcv {

/// What a training is expected to take.
struct TrainingCost {
  std::vector<PlanItem> memory;   ///< beside the inputs and what validation and prediction hold
  std::optional<double> seconds;  ///< none where the number of steps cannot be estimated
};

struct TrainerTraits {
  TrainerInfo info;
  bool needs_free_parameter = true;        ///< refuses a problem whose parameters are all held
  bool factorises = false;                 ///< needs the covariance matrix of all rows factorised
  bool finds_subset_starts = false;        ///< follows several optima of a subset's likelihood by itself
  std::vector<std::string_view> settings;  ///< fields of TrainerSettings that not every trainer has
  std::vector<std::string> (*measures)(const TrainOptions& options);  ///< names of IterationRecord::measures
  std::string (*steps)(const TrainOptions& options);  ///< what moves θ, where the trainer leaves a choice
  TrainingCost (*cost)(const Problem& problem, const TrainOptions& options);
  TrainResult (*train)(const Problem& problem, const TrainOptions& options, const Observer& observer);
};

/// All trainers, the default first.
const std::vector<TrainerTraits>& trainer_table();

/// The trainer of this name; throws InputError that lists the names there are.
const TrainerTraits& trainer_traits(std::string_view name);

}  // namespace gpcv
