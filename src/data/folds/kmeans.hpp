/// Clusters of points.
#pragma once

#include <cstdint>
#include <vector>

#include "gpcv/types.hpp"

namespace gpcv {

/// The cluster of each point: the index of the nearest of k means, found by Lloyd's iteration from a k-means++ start.
std::vector<Index> k_means(ConstView x, Index k, std::uint64_t seed);

}  // namespace gpcv
