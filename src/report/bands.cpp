#include "report/bands.hpp"

#include <algorithm>
#include <cmath>

namespace gpcv {

Band interval_of(const Prediction& p) {
  if (p.variance.size() == 0) return {};
  const double factor = interval_factor(0.95, p.degrees);
  return {p.at(-factor), p.at(factor)};
}

Band chance_of(const Assessment& a) {
  const auto points = static_cast<Index>(a.curve.size());
  Band band{Vector(points), Vector(points)};
  for (Index i = 0; i < points; ++i) {
    const double p = a.curve[static_cast<std::size_t>(i)].promised;
    const double chance = 2 * std::sqrt(p * (1 - p) / static_cast<double>(a.with_deviation));
    band.lower(i) = std::max(0.0, p - chance);
    band.upper(i) = std::min(1.0, p + chance);
  }
  return band;
}

}  // namespace gpcv
