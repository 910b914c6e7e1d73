/// A scan for a start value of each free period, because a local optimiser would stay in the nearest local minimum.
#pragma once

#include <cstdint>

#include "gpcv/trainer.hpp"

namespace gpcv {

/// The problem with each free period at the candidate of lowest negative log likelihood on at most 400 rows. The
/// candidates lie within a factor of 1.25 of a given period, otherwise between two gaps and the range of the inputs.
Problem with_scanned_periods(Problem problem, std::uint64_t seed, int threads);

}  // namespace gpcv
