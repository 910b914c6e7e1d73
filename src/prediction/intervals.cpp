/// Widths of prediction intervals, in standard deviations.
#include <fmt/format.h>

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"
#include "prediction/standard_error.hpp"

namespace gpcv {

double interval_factor(double probability, double degrees) {
  const double p = probability;
  if (!(p > 0 && p < 1)) throw InputError(fmt::format("an interval's probability lies between 0 and 1, not at {}", p));
  if (!std::isinf(degrees)) return -standard_quantile(0.5 * (1 - p), degrees);
  // z = √2 u with erf u = p; 1 − p is exact for p ≥ ½
  return std::numbers::sqrt2 * (p < 0.5 ? boost::math::erf_inv(p) : boost::math::erfc_inv(1 - p));
}

double quantile_factor(double probability, double degrees) {
  const double p = probability;
  if (!(p > 0 && p < 1)) throw InputError(fmt::format("a quantile's probability lies between 0 and 1, not at {}", p));
  return p < 0.5 ? standard_quantile(p, degrees) : -standard_quantile(1 - p, degrees);
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
