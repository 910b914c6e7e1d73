#include "trainers/start/period_scan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/random.hpp"
#include "gpcv/error.hpp"
#include "problem/data_scales.hpp"
#include "problem/parameters.hpp"
#include "trainers/likelihood/likelihood.hpp"

namespace gpcv {
namespace {

constexpr Index scanned_rows = 400;
constexpr int candidates = 60;

/// Random subset of the rows for the scan; evenly spaced rows would alias.
Problem scanned_part(const Problem& problem, std::uint64_t seed) {
  if (problem.x.rows() <= scanned_rows) return problem;
  auto rows = Random(seed).permutation(problem.x.rows());
  rows.resize(static_cast<std::size_t>(scanned_rows));
  std::sort(rows.begin(), rows.end());
  return {problem.x(rows, Eigen::all), problem.y(rows), problem.kernel, problem.noise};
}

double value_at(const Problem& problem, const Vector& u, int threads) {
  try {
    return negative_log_likelihood(kernel_at(problem, u), noise_at(problem, u), problem.x, problem.y, false, threads)
        .value;
  } catch (const NumericalError&) {
    return std::numeric_limits<double>::infinity();
  }
}

}  // namespace

Problem with_scanned_periods(Problem problem, std::uint64_t seed, int threads) {
  const std::vector<Parameter> free = problem.kernel.free_parameters();
  if (std::none_of(free.begin(), free.end(), [](const Parameter& p) { return p.role == Role::period; })) return problem;
  const Problem few = scanned_part(problem, seed);
  const LogParameters parameters = log_parameters(problem);
  Vector best = parameters.value;
  double lowest = value_at(few, best, threads);
  for (std::size_t i = 0; i < free.size(); ++i) {
    if (free[i].role != Role::period) continue;
    const auto at = static_cast<Index>(i);
    const double typed = parameters.value(at);
    // The data cannot reveal a period longer than their range.
    const double low = free[i].given ? typed - std::log(1.25) : parameters.lower(at);
    const double high = free[i].given ? typed + std::log(1.25) : parameters.upper(at) - std::log(10.0);
    for (int c = 0; c < candidates; ++c) {
      Vector u = best;
      u(at) = std::clamp(low + (high - low) * c / (candidates - 1), parameters.lower(at), parameters.upper(at));
      const double value = value_at(few, u, threads);
      if (value < lowest) {
        lowest = value;
        best = u;
      }
    }
  }
  std::vector<Parameter> moved(problem.kernel.parameters().begin(), problem.kernel.parameters().end());
  Index next = 0;
  for (Parameter& p : moved) {
    if (!p.fixed) p.value = std::exp(best(next++));
  }
  problem.kernel = problem.kernel.with_parameters(std::move(moved));
  return problem;
}

}  // namespace gpcv
