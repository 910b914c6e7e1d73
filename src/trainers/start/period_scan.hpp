/// A scan for a start value of each free period, because a local optimiser would stay in the nearest local minimum.
#pragma once

#include <cstdint>

#include "gpcv/trainer.hpp"

namespace gpcv {

/// The problem with each free period at the candidate of the smallest held-out error on at most 400 rows, or of the
/// largest likelihood where there are no folds. The candidates lie within a factor of 1.25 of a given period; otherwise
/// they are the peaks of a periodogram with their multiples and fractions.
Problem with_scanned_periods(Problem problem, std::uint64_t seed, int threads);

}  // namespace gpcv
