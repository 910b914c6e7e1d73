/// A short table of the ratios that matter, each measured within one run.
#pragma once

#include "gpcv/types.hpp"

namespace gpcv {

/// Best of `repeats` for n points, the two sides of each ratio taken in turn.
void print_ratios(Index n, int repeats);

}  // namespace gpcv
