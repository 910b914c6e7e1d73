/// Hold-out cross-validation by ADMM, and its average over folds.
#pragma once

#include "gpcv/trainer.hpp"

namespace gpcv {

/// Every fold by itself, then the mean of their θ (of log θ when that is what moves). One fold is the paper's hold-out
/// scheme, several its naive K-fold scheme.
TrainResult train_admm(const Problem& problem, const TrainOptions& options, const Observer& observer);

}  // namespace gpcv
