/// A short table of the important ratios, each measured within one run.
#pragma once

#include "gpcv/types.hpp"

namespace gpcv {

/// Prints the ratios for n points, each from the best of `repeats` runs in which its two sides alternate.
void print_ratios(Index n, int repeats);

}  // namespace gpcv
