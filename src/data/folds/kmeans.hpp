/// Points that lie together.
#pragma once

#include <cstdint>
#include <vector>

#include "gpcv/types.hpp"

namespace gpcv {

/// The number of the nearest of k means, after Lloyd's iteration from k-means++ starts.
std::vector<Index> k_means(ConstView x, Index k, std::uint64_t seed);

}  // namespace gpcv
