/// Everything that fit() settles before it trains, and refuses before it has cost anything.
#pragma once

#include "gpcv/fit.hpp"
#include "model/design.hpp"
#include "planning/execution_plan.hpp"

namespace gpcv {

/// What is settled before training holds to the end: nothing that would lose the result is decided later.
struct FitPlan {
  Standardization scaling;
  RowNoise row_noise;
  Problem problem;     ///< standardised, with mean and own noise of the rows in it, and with its folds
  TrainOptions train;  ///< as asked for, or as an earlier model to start from makes them; with the budget of the plan
  ExecutionPlan execution;        ///< of training and of what follows it
  ComputeOptions compute;         ///< with solver and budget of the plan
  std::optional<double> seconds;  ///< of training, a guess; none for ADMM
};

/// Throws InputError for a checkpoint that the trainer cannot write, or that is to be resumed but not named.
void require_checkpoint(const FitOptions& options);

/// Throws InputError when the training would be refused.
FitPlan plan_fit(const Dataset& data, const FitOptions& options);

}  // namespace gpcv
