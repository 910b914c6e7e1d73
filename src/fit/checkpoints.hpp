/// Checkpoints of a training: each accepted step is saved, and a training goes on from the last one.
#pragma once

#include "gpcv/fit.hpp"

namespace gpcv {

/// Throws InputError where training would overwrite a checkpoint. It is hours of work: only resuming may replace it.
void require_new_checkpoint(const FitOptions& options);

/// Saves each accepted step, and goes on from what was saved when told to.
void keep_checkpoints(const FitOptions& options, const Problem& problem, TrainOptions& train_options);

}  // namespace gpcv
