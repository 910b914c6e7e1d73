/// Widths of prediction intervals, in standard deviations.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv {

/// Factor z = √2 u with erf u = p.
double interval_factor(double probability) {
  const double p = probability;
  if (!(p > 0 && p < 1)) throw InputError(fmt::format("an interval's probability lies between 0 and 1, not at {}", p));
  const double q = 1 - p;  // exact for p ≥ ½

  // Winitzki's approximation has an error of at most 0.2 % and no cancellation:
  // u² = −(L/a) / (t + √(t² − L/a)),  L = log(1 − p²),  t = 2/(πa) + L/2,  a = 0.147.
  constexpr double a = 0.147;
  const double l = p < 0.5 ? std::log1p(-p * p) : std::log(q) + std::log1p(p);
  const double t = 2 / (std::numbers::pi * a) + l / 2;
  double u = std::sqrt(-(l / a) / (t + std::sqrt(t * t - l / a)));

  // Halley's method solves f = erf u − p = q − erfc u = 0:  f' = (2/√π) e^{−u²},  f'' = −2u f',  u ← u − s/(1 + us),
  // s = f/f'. Each step cubes the relative error: 2e-3, 1e-8, then rounding.
  for (int i = 0; i < 3; ++i) {
    const double f = p < 0.5 ? std::erf(u) - p : q - std::erfc(u);
    const double s = f / (2 * std::numbers::inv_sqrtpi * std::exp(-u * u));
    u -= s / (1 + u * s);
  }
  return std::numbers::sqrt2 * u;
}

/// The ⌈(m + 1) p⌉-th smallest of m scores. The score of a new row that is exchangeable with them is at most this large
/// with a probability between p and p + 1/(m + 1).
double conformal_factor(const Conformal& conformal, double probability) {
  const Index m = conformal.scores.size();
  if (m == 0) {
    throw InputError("the model has no rows set aside for conformal intervals", Remedy::reserve_calibration_rows);
  }
  const auto rank = static_cast<Index>(std::ceil(static_cast<double>(m + 1) * probability - 1e-9));
  if (rank > m) {
    throw InputError(
        fmt::format("{} calibration rows cannot guarantee {:g} %: that takes at least {:.0f}; ask for less, or "
                    "set more rows aside",
                    m, 100 * probability, std::ceil(probability / (1 - probability) - 1e-9)));
  }
  return conformal.scores(rank - 1);
}

}  // namespace gpcv
