/// What a computation will do and hold, settled before it starts: what is printed is what is done.
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
  Index rank = 0;     ///< of the preconditioner
  Index columns = 0;  ///< solved at once
  double pass = 1;    ///< what a product over all rows counts as in Work: less on a part of the data
};

/// When memory is held: training ends before its result is validated, calibrated and conditioned.
enum class Phase { always, training, afterwards };

struct PlanItem {
  std::string purpose;
  std::size_t bytes = 0;
  Phase phase = Phase::always;
};

struct ExecutionPlan {
  Solver solver = Solver::cholesky;
  bool adjoint = false;  ///< training by the gradient alone
  IterativePlan iterative = {};
  Index concurrent_starts = 1;         ///< of a training that are alive at once; 1: one after the other
  bool preconditioner_on_host = true;  ///< false: on a device, with room for it on the host should the device have none
  double seconds = 0;                  ///< an estimate
  std::vector<PlanItem> items;
  std::size_t budget = 0;
  std::string reason;  ///< why this solver

  /// The most that is held at one time.
  std::size_t total() const;
  /// One line per item, the total, the budget, the reason.
  std::string to_string() const;
};

/// Plans solves with the matrix of all rows or of all folds to the final residual: validation, calibration and the
/// model's weights. Throws InputError, naming the smallest budget that would do, when nothing fits.
ExecutionPlan plan_solves(const Shape& shape, const ComputeOptions& compute);

/// Plans Gauss–Newton or L-BFGS on all folds: solver, derivatives, rank and starts side by side, by which would be
/// fastest of what fits. Throws InputError, naming the budget that would do, when nothing fits.
ExecutionPlan plan_training(const Shape& shape, const TrainOptions& options);
/// The same for a problem at its start.
ExecutionPlan plan_training(const Problem& problem, const TrainOptions& options);
/// The same for all nested parts of the rows: the plan of all rows, with the most that any part may come to hold while
/// the noise, unless it is held, may turn out smaller than it starts.
ExecutionPlan plan_nested_training(const Problem& problem, const TrainOptions& options);

/// Rows trained on, smallest part first, all of them last.
std::vector<Index> nested_rows(Index rows, const TrainOptions& options);

/// Plans trainers that work fold by fold, so many folds of which are alive at once.
ExecutionPlan plan_fold_training(const Problem& problem, Index folds_alive, const TrainOptions& options);

/// Whether the memory budget has room for a factorisation of n rows.
bool factor_fits(Index n, Index d, const ComputeOptions& compute);

/// Up to this many training rows variances are exact however few points are predicted.
constexpr Index exact_variance_rows = 4096;

/// How the variance of test points is found: never `automatic`, and exact ones by this solver.
struct VariancePlan {
  VarianceMethod method;
  Solver solver = Solver::cholesky;
};
VariancePlan plan_variance(const VarianceMethod& asked, Index n, Index d, Index points, const ComputeOptions& compute);

}  // namespace gpcv
