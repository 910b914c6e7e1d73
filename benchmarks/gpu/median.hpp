/// The median of repeated measurements.
#pragma once

#include <algorithm>
#include <vector>

namespace gpcv {

inline double median(std::vector<double> v) {
  const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), middle, v.end());
  return *middle;
}

}  // namespace gpcv
