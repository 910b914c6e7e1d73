/// Fit of one kernel, and its steps: training, assessment by the folds, conditioning.
#pragma once

#include "core/clock.hpp"
#include "fit/fit_plan.hpp"
#include "fit/stopping.hpp"

namespace gpcv {

/// Trains, validates and calibrates with the kernel of the options.
FitResult fit_kernel(const Dataset& data, const FitOptions& options, const Observer& observer,
                     const Announce& announce);

/// Trains as planned, and says from the first error on how long a stop takes. Throws NumericalError where training has
/// found nothing, and Interrupted where it was stopped before that or where what it found is not wanted.
TrainResult train_stoppable(const FitPlan& plan, const Stopping& stopping, const FitOptions& options,
                            const Observer& observer);

/// Validates and calibrates the trained values, which the plan's problem has, as far as a stop permits.
void assess_by_folds(FitPlan& plan, const Stopping& stopping, const FitOptions& options, const Columns& columns,
                     PhaseTimes& phases, FitResult& out);

/// Conditions the model on all rows, as accurately as the time permits, and moves what predictions need from the plan
/// into it, with the record of the training.
void condition_and_keep(FitPlan& plan, const Stopping& stopping, const Dataset& data, const FitOptions& options,
                        PhaseTimes& phases, FitResult& out);

}  // namespace gpcv
