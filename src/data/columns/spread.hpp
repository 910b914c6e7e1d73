/// Mean and standard deviation that survive large offsets and tiny or huge units.
#pragma once

#include <cmath>

#include "gpcv/types.hpp"

namespace gpcv {

struct Spread {
  double mean = 0;
  double deviation = 0;  ///< population standard deviation; exactly 0 for equal values
};

/// Two passes. μ = x₀ + Σ(xᵢ − x₀)/n loses nothing to a large offset;
/// the squares of σ = m √(Σ((xᵢ − μ)/m)²/n), m = max |xᵢ − μ|, neither overflow nor underflow.
inline Spread spread(ConstVectorView values) {
  if (values.size() == 0) return {};
  const double first = values(0);
  if (values.minCoeff() == values.maxCoeff()) return {first, 0};
  const double mean = first + (values.array() - first).mean();
  const double largest = (values.array() - mean).abs().maxCoeff();
  return {mean, largest * std::sqrt(((values.array() - mean) / largest).square().mean())};
}

}  // namespace gpcv
