#include "planning/budget.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "core/memory.hpp"
#include "gpcv/error.hpp"

namespace gpcv {

std::size_t parse_memory(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  std::string unit(rest, end);
  if (unit.ends_with("iB")) unit.resize(unit.size() - 2);
  if (unit.ends_with("B")) unit.resize(unit.size() - 1);
  const std::string units = "KMGT";
  const std::size_t power = unit.empty() ? 0 : units.find(unit) + 1;
  const double size = value * std::pow(1024.0, static_cast<double>(power));
  if (error != std::errc() || unit.size() > 1 || (!unit.empty() && power == 0) || !(size >= 1) || size > 1e18) {
    throw InputError(fmt::format("memory '{}': expected a size, as 2G, 512M or 1.5GiB", text));
  }
  return static_cast<std::size_t>(size);
}

std::size_t default_memory_budget() { return available_memory() / 10 * 8; }

ComputeOptions with_budget(ComputeOptions compute) {
  if (compute.memory == 0) compute.memory = default_memory_budget();
  return compute;
}

void require_dense_memory(Index n, int matrices, const char* what) {
  constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
  const double needed = 8.0 * static_cast<double>(n) * static_cast<double>(n) * matrices;
  const auto available = static_cast<double>(available_memory());
  if (needed <= available) return;
  throw InputError(
      fmt::format("{} with n = {} needs {:.1f} GiB for dense matrices, {:.1f} GiB are free: use fewer rows", what, n,
                  needed / gibibyte, available / gibibyte));
}

}  // namespace gpcv
