/// What trainers that work fold by fold share: starts, threads, observers, verified errors.
#pragma once

#include <functional>

#include "core/random.hpp"
#include "gpcv/trainer.hpp"
#include "planning/execution_plan.hpp"
#include "trainers/admm/fold_groups.hpp"
#include "trainers/admm/lagrangian.hpp"
#include "trainers/admm/training_log.hpp"

namespace gpcv {

/// How a start ended, before it is compared with the others.
struct StartEnd {
  Status status = Status::not_run;
  Vector log_theta;
  std::string remark;  ///< for the message, may be empty
};

/// Everything a start needs.
struct FoldRun {
  const Problem& problem;  ///< with the start values in place
  const TrainOptions& options;
  std::vector<HoldoutProblem> holdouts;  ///< one per fold
  Index validated = 0;                   ///< rows, over all folds
  Index rank = 0;                        ///< of preconditioners
  int threads_across = 1;                ///< folds that run side by side; products then have one thread each
  ComputeOptions compute;                ///< for the work inside one fold; its stop may be asked by any fold
  FoldGroups fold_groups;                ///< whose fold is whose
};

/// One descent from the given log θ.
using OneStart = std::function<StartEnd(FoldRun& run, int start, const Vector& log_theta, TrainingLog& training_log)>;

/// Runs `one_start` from the given values and from random ones, verifies the hold-out error of each end by a solve to
/// 1e-6 and keeps the best. by_ranks: `one_start` uses fold_groups, so that ranks may have folds of their own.
TrainResult train_by_folds(const Problem& problem, const TrainOptions& options, const Observer& observer,
                           const OneStart& one_start, bool by_ranks = false);

/// Squared residuals of every fold at log_theta, solved to a relative residual of 1e-6; not finite where a solve fails.
struct FoldErrors {
  Vector validation;  ///< ‖y_V − K_VT z‖² with C z = y_T
  Vector training;    ///< ‖y_T − K_TT z‖² = ‖σ²z‖²
};
FoldErrors verified_errors(const FoldRun& run, const Vector& log_theta);

/// The plan of these trainers, which hold a preconditioner and some vectors for each fold that is alive at a time.
ExecutionPlan fold_plan(const Problem& problem, const TrainOptions& options, Index most_alive);

/// Its own stream of random numbers for each start and fold, whatever ran before.
Random fold_random(const TrainOptions& options, int start, int fold);

}  // namespace gpcv
