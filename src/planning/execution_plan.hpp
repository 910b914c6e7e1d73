/// The execution plan of a computation: its methods and its memory, decided before it starts and reported as executed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gpcv/posterior.hpp"
#include "gpcv/trainer.hpp"
#include "planning/budget.hpp"
#include "planning/cost_model.hpp"

namespace gpcv {

/// Settings of the conjugate gradients that solve the systems of all folds.
struct IterativePlan {
  Index rank = 0;           ///< rank of the preconditioner
  Index columns = 0;        ///< right-hand sides solved at once
  Index neighbours = 0;     ///< neighbours of the preconditioner's local inverse; 0: none
  double pass = 1;          ///< weight of a product over all rows in Work; less than 1 on a subset of the rows
  double pass_columns = 0;  ///< columns of a column pass in Work; 0: those of all folds that are evaluated

  Preconditioning preconditioning() const { return {rank, neighbours}; }
};

/// Period in which memory is held. Training ends before its result is validated, calibrated and conditioned.
enum class Phase { always, training, afterwards };

struct PlanItem {
  std::string purpose;
  std::size_t bytes = 0;
  Phase phase = Phase::always;
};

struct ExecutionPlan {
  Solver solver = Solver::cholesky;
  bool adjoint = false;  ///< whether training uses only the gradient, by the adjoint method
  IterativePlan iterative = {};
  Index concurrent_starts = 1;         ///< starts of a training that are alive at once; 1: one after the other
  bool preconditioner_on_host = true;  ///< false: on a device; the host reserves memory in case the device has none
  double seconds = 0;                  ///< estimated run time
  std::vector<PlanItem> items;
  std::size_t budget = 0;
  std::string reason;  ///< why this solver was chosen

  /// Peak memory in bytes.
  std::size_t total() const;
  /// Text of the plan: one line per item, then the total, the budget and the reason.
  std::string to_string() const;
};

/// Plans the solves with the matrix of all rows or of all folds to the final residual, for validation, calibration and
/// the model's weights. Throws InputError with the smallest sufficient budget if nothing fits.
ExecutionPlan plan_solves(const Shape& shape, const ComputeOptions& compute);

/// Plans Gauss–Newton or L-BFGS on all folds: the fastest combination of solver, derivatives, rank and concurrent
/// starts that fits the budget. Throws InputError with a sufficient budget if nothing fits.
ExecutionPlan plan_training(const Shape& shape, const TrainOptions& options);
/// Plan for a problem at its start.
ExecutionPlan plan_training(const Problem& problem, const TrainOptions& options);
/// Plan for all parts of a training: the plan of all rows, with the largest memory that any part may hold and the
/// seconds of all. A free noise may become smaller than its start value.
ExecutionPlan plan_nested_training(const Problem& problem, const TrainOptions& options);

/// Plans trainers that work fold by fold, with this many folds alive at once.
ExecutionPlan plan_fold_training(const Problem& problem, Index folds_alive, const TrainOptions& options);

/// Whether a factorisation of n rows fits the memory budget.
bool factor_fits(Index n, Index d, const ComputeOptions& compute);

/// Number of training rows up to which variances are exact, however few points are predicted.
constexpr Index exact_variance_rows = 4096;

/// Method for the variance of test points, which is never `automatic`, and the solver for exact variances.
struct VariancePlan {
  VarianceMethod method;
  Solver solver = Solver::cholesky;
};
VariancePlan plan_variance(const VarianceMethod& asked, Index n, Index d, Index points, const ComputeOptions& compute);

}  // namespace gpcv
