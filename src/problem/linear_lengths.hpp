/// Length scales of linear kernels, which are amplitudes.
#pragma once

#include <vector>

#include "gpcv/kernel.hpp"

namespace gpcv {

/// For each parameter of a bound kernel, whether it is a free length scale of linear kernels alone: in k = s² Σ_c x_c
/// x'_c / l_c² it determines an amplitude, not a distance. `summands`: only of linear kernels that are summands of
/// their own and whose s² is fixed.
std::vector<bool> linear_lengths(const Kernel& kernel, bool summands = false);

}  // namespace gpcv
