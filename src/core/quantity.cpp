#include "gpcv/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gpcv {

std::string bytes(std::size_t count) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(count);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", value, unit > 0 && value < 10 ? 1 : 0, units[unit]);
}

std::string duration(double seconds) {
  if (seconds < 0.0995) return fmt::format("{:.0f} ms", seconds * 1000);
  if (seconds < 99.5) return fmt::format("{:.{}f} s", seconds, seconds < 9.95 ? 2 : 1);
  if (seconds < 5995) return fmt::format("{:.1f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string rough_duration(double seconds) {
  constexpr double minute = 60, hour = 3600;
  if (seconds < 9.5) return fmt::format("{:.1g} s", std::max(seconds, 0.1));
  if (seconds < 2 * minute) return fmt::format("{:.0f} s", seconds < 20 ? seconds : 5 * std::round(seconds / 5));
  if (seconds < 2 * hour) return fmt::format("{:.0f} min", seconds / minute);
  return fmt::format("{:.0f} h", seconds / hour);
}

std::string grouped(long long count) {
  std::string digits = fmt::format("{}", count);
  const std::size_t first = digits[0] == '-' ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3; i -= 3) digits.insert(i - 3, 1, ' ');
  return digits;
}

}  // namespace gpcv
