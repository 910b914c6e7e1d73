/// Mean and standard deviation, robust to large offsets and to very small or large units.
#pragma once

#include <cmath>

#include "gpcv/types.hpp"

namespace gpcv {

/// Mean and standard deviation of a column.
struct Spread {
  double mean = 0;
  double deviation = 0;  ///< population standard deviation; exactly 0 for equal values
};

/// The spread by two passes. μ = x₀ + Σ(xᵢ − x₀)/n avoids cancellation for a large offset; in
/// σ = m √(Σ((xᵢ − μ)/m)²/n) with m = max |xᵢ − μ| no square overflows or underflows.
inline Spread spread(ConstVectorView values) {
  if (values.size() == 0) return {};
  const double first = values(0);
  if (values.minCoeff() == values.maxCoeff()) return {first, 0};
  const double mean = first + (values.array() - first).mean();
  const double largest = (values.array() - mean).abs().maxCoeff();
  return {mean, largest * std::sqrt(((values.array() - mean) / largest).square().mean())};
}

}  // namespace gpcv
