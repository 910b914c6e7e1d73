/// Training of several targets with a common kernel.
#pragma once

#include <functional>
#include <vector>

#include "gpcv/fit.hpp"

namespace gpcv {

/// Trains one kernel for all targets: common length scales and a common ratio of noise to signal.
std::vector<FitResult> fit_shared_kernel(const std::vector<Dataset>& targets, const FitOptions& options,
                                         const std::function<void(Index)>& begin, const Observer& observer,
                                         const Announce& announce);

}  // namespace gpcv
