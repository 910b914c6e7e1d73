/// Starts of sums whose parts share inputs.
#pragma once

#include <cstdint>

#include "gpcv/trainer.hpp"

namespace gpcv {

/// Whether several free length scales without a given value belong to one input, as in "se(ard) + matern32(ard)". The
/// error of such a kernel has many minima, which differ in the inputs that act together in a part.
bool has_divided_inputs(const Problem& problem);

/// Values log θ in which the length scales of each input are drawn apart from part to part, while their geometric mean
/// stays. The noise is that of the problem.
Vector divided_start(const Problem& problem, const Vector& values, std::uint64_t seed);

}  // namespace gpcv
