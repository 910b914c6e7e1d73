/// Training of several targets with a common kernel.
#pragma once

#include <functional>
#include <vector>

#include "gpcv/fit.hpp"

namespace gpcv {

/// Trains one kernel for all targets: common length scales, further parameters and ratio of noise to signal, by the
/// sum of the losses of their held-out rows. Each target then has a model of its own, with its standardisation, its
/// scale of variances and its distribution of errors. A target with rows that others lack is validated and conditioned
/// on its own rows; θ comes from those that all have. Throws InputError for options that need a training of each
/// target. begin(i) is called before the common training for target 0 and before the validation of the others.
/// docs/math/targets.md
std::vector<FitResult> fit_shared_kernel(const std::vector<Dataset>& targets, const FitOptions& options,
                                         const std::function<void(Index)>& begin, const Observer& observer,
                                         const Announce& announce);

}  // namespace gpcv
