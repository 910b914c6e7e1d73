/// Median of values.
#pragma once

#include <algorithm>

#include "gpcv/types.hpp"

namespace gpcv {

/// The middle one of the values in ascending order, or the upper of the two in the middle; there must be a value.
inline double median(Vector values) {
  const Index half = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + half, values.end());
  return values(half);
}

}  // namespace gpcv
