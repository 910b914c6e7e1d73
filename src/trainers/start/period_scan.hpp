/// A first guess of each free period, where a local optimiser would stay in the nearest valley.
#pragma once

#include <cstdint>

#include "gpcv/trainer.hpp"

namespace gpcv {

/// The problem with each free period moved to the candidate of lowest negative log likelihood, on at most
/// 400 rows: within a quarter of a typed period, or between two gaps and the range of the inputs.
Problem with_scanned_periods(Problem problem, std::uint64_t seed, int threads);

}  // namespace gpcv
