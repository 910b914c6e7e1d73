#include "report/svg/axis.hpp"

#include <algorithm>
#include <cmath>

#include "report/svg/svg_text.hpp"

namespace gpcv {
namespace {

/// Least step of 1, 2 or 5 times a power of ten that is not below `raw`.
double round_step(double raw) {
  const double power = std::pow(10, std::floor(std::log10(raw))), lead = raw / power;
  return power * (lead > 5 ? 10 : lead > 2 ? 5 : lead > 1 ? 2 : 1);
}

}  // namespace

void Range::add(double value) {
  if (!std::isfinite(value)) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

void Range::add(const Vector& values) {
  for (const double value : values) add(value);
}

Range Range::widened(double fraction) const {
  constexpr double most = 1e300;
  if (!(low <= high)) return {0, 1};
  const double a = std::clamp(low, -most, most), b = std::clamp(high, -most, most);
  // Values that are equal to a few digits leave no room for ticks.
  const double size = std::max(std::abs(a), std::abs(b));
  const double margin = b - a > 1e-12 * size ? fraction * (b - a) : size > 0 ? 0.5 * size : 0.5;
  return {a - margin, b + margin};
}

Axis::Axis(Range range, double from, double to, double spacing)
    : low_(range.low), high_(range.high), from_(from), to_(to) {
  const double wanted = std::max(1.0, std::abs(to - from) / spacing);
  const double step = round_step((high_ - low_) / wanted), first = std::ceil(low_ / step);
  const double largest = std::max(std::abs(low_), std::abs(high_));
  for (int i = 0; i <= 4 * wanted; ++i) {
    const double value = (first + i) * step;
    if (value > high_ + 1e-9 * step) break;
    ticks_.push_back({value, tick_text(value, step, largest)});
  }
}

double Axis::operator()(double value) const {
  const double part = std::clamp((value - low_) / (high_ - low_), 0.0, 1.0);
  return from_ + part * (to_ - from_);
}

}  // namespace gpcv
