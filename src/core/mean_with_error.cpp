#include "core/mean_with_error.hpp"

#include <algorithm>
#include <cmath>

namespace gpcv {

MeanWithError mean_with_error(const Vector& values) {
  double sum = 0, squares = 0, count = 0;
  for (const double v : values) {
    if (!std::isfinite(v)) continue;
    sum += v;
    squares += v * v;
    ++count;
  }
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean) / std::max(1.0, count - 1))};
}

double root_mean_square(const Vector& values) {
  double squares = 0, count = 0;
  for (const double v : values) {
    if (!std::isfinite(v)) continue;
    squares += v * v;
    ++count;
  }
  return std::sqrt(squares / count);
}

}  // namespace gpcv
