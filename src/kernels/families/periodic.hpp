/// The periodic exponent, which `periodic` and `lp` share.
#pragma once

#include <cmath>
#include <numbers>

#include "kernels/families/family.hpp"

namespace gpcv {

/// t − round(t) ∈ [−½, ½] for t = (x_c − x'_c)/p. The difference is exact, so distant pairs lose no more precision than
/// t itself.
inline double phase(double delta, double period) {
  const double t = delta / period;
  return std::isfinite(t) ? t - std::nearbyint(t) : 0;
}

/// e = 2 Σ_c sin²(π (x_c − x'_c)/p)/l_c²
inline double periodic_exponent(const LeafArguments& a) {
  double sum = 0;
  for (int c = 0; c < a.columns; ++c) {
    const double s = std::sin(std::numbers::pi * phase(a.delta[c], a.period)) / a.length[c];
    sum += 2 * s * s;
  }
  return sum;
}

/// For k = … exp(−e):
/// ∂k/∂log l_c += k · 4 sin²(π t_c)/l_c²,   ∂k/∂log p = k · Σ_c 2π t_c sin(2π t_c)/l_c²,   t_c = (x_c − x'_c)/p
inline void add_periodic_gradient(const LeafArguments& a, double k, LeafGradient& g) {
  g.period = 0;
  if (k == 0) return;
  for (int c = 0; c < a.columns; ++c) {
    const double t = phase(a.delta[c], a.period);
    const double l2 = a.length[c] * a.length[c];
    const double s = std::sin(std::numbers::pi * t);
    g.length[c] += k * 4 * s * s / l2;
    g.period += k * 2 * std::numbers::pi * (a.delta[c] / a.period) * std::sin(2 * std::numbers::pi * t) / l2;
  }
}

}  // namespace gpcv
