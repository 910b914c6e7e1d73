/// Plan of a fit: the decisions that fit() takes before it trains.
#pragma once

#include "gpcv/fit.hpp"
#include "model/design.hpp"
#include "planning/execution_plan.hpp"

namespace gpcv {

/// Plan of a fit. The decisions hold to the end, so nothing that could lose the result is refused after training.
struct FitPlan {
  Standardization scaling;
  RowNoise row_noise;
  Problem problem;                ///< standardised, with the mean function, the noise of each row and the folds
  TrainOptions train;             ///< options given, with the start of an earlier model and the budget of the plan
  ExecutionPlan execution;        ///< plan of training and of the steps after it
  ComputeOptions compute;         ///< options given, with the solver and the budget of the plan
  std::optional<double> seconds;  ///< estimated time of training; empty for ADMM
};

/// Plan for the data and the options. Throws InputError for a training that is refused.
FitPlan plan_fit(const Dataset& data, const FitOptions& options);

}  // namespace gpcv
