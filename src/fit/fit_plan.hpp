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
  double independent_errors = 0;  ///< number of errors of the folds that are independent
  std::vector<Index> clusters;    ///< clusters_of() the rows
  ComputeOptions compute;         ///< options given, with the solver and the budget of the plan
  std::optional<double> seconds;  ///< estimated time of training; empty for ADMM
  Solver training_solver = Solver::cholesky;  ///< solver of the steps of training
};

/// Plan for the data and the options. Throws InputError for a training that is refused.   inputs: standardisation of
/// the inputs; null for that of the data
FitPlan plan_fit(const Dataset& data, const FitOptions& options, const Standardization* inputs = nullptr);

/// Standardisation of the data that the options ask for.
Standardization scaling_of(const Dataset& data, const FitOptions& options);
/// The standardised problem of the data with the options' kernel, mean function and noise, without folds.
Problem problem_of(const Dataset& data, const FitOptions& options, const Standardization& scaling,
                   const RowNoise& row_noise);
/// The options of the folds for this number of rows, or the default ones.
FoldOptions fold_options_of(const FitOptions& options, Index rows);
/// The folds that the options ask for, or the default ones. Throws InputError where their lists exceed the budget.
Folds folds_of(const Dataset& data, const FitOptions& options, const ComputeOptions& compute);

/// Number of errors of the folds that are independent: the blocks, regions or groups of rows that are off together,
/// otherwise the rows.
double independent_errors(const Dataset& data, const FitOptions& options, const Folds& folds);
/// Of each row the block, region or group of rows that are off together; empty where rows are independent.
std::vector<Index> clusters_of(const Dataset& data, const FitOptions& options, const Folds& folds);

}  // namespace gpcv
