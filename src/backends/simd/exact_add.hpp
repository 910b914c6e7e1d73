/// Exact addition of the sums of a block to the result.
#pragma once

#include <cstddef>

#include "core/exact_sum.hpp"

namespace gpcv::simd {

/// sum[i] += x[i]; with `rest`, sum[i] + rest[i] += x[i].
void exact_add(const ExactSum& exact, const float* x, std::size_t count, double* sum, double* rest);
void exact_add(const ExactSum& exact, const double* x, std::size_t count, double* sum, double* rest);

}  // namespace gpcv::simd
