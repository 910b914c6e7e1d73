/// Traits that distinguish one trainer from the others. A new trainer has its own folder and one entry in the table of
/// trainer_table.cpp; no other code compares the names of trainers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpcv/trainer.hpp"
#include "planning/execution_plan.hpp"

namespace gpcv {

/// Expected cost of a training.
struct TrainingCost {
  std::vector<PlanItem> memory;      ///< in addition to the inputs and the memory of validation and prediction
  std::optional<double> seconds;     ///< none if the number of steps cannot be estimated
  Solver solver = Solver::cholesky;  ///< solver of its steps
};

struct TrainerTraits {
  TrainerInfo info;
  bool needs_free_parameter = true;  ///< whether problems without a free parameter are rejected
  bool factorises = false;           ///< whether the covariance matrix of all rows is factorised
  bool finds_subset_starts = false;  ///< whether the trainer itself follows several optima of a subset's likelihood
  std::vector<std::string_view> settings;  ///< fields of TrainerSettings that are specific to some trainers
  std::vector<std::string> (*measures)(const TrainOptions& options);  ///< names of IterationRecord::measures
  std::string (*steps)(const TrainOptions& options);  ///< description of the θ-steps, if they can be chosen
  TrainingCost (*cost)(const Problem& problem, const TrainOptions& options);
  TrainResult (*train)(const Problem& problem, const TrainOptions& options, const Observer& observer);
};

/// All trainers, the default first.
const std::vector<TrainerTraits>& trainer_table();

/// Traits of the trainer of this name; for an unknown name, the InputError lists the known ones.
const TrainerTraits& trainer_traits(std::string_view name);

}  // namespace gpcv
