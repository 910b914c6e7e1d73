#include "trainers/start/period_scan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/random.hpp"
#include "gpcv/error.hpp"
#include "problem/data_scales.hpp"
#include "problem/parameters.hpp"
#include "trainers/likelihood/likelihood.hpp"
#include "trainers/start/fold_score.hpp"
#include "trainers/start/periodogram.hpp"
#include "trainers/start/subset_start.hpp"

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
  return part_of(problem, rows);
}

/// The error of the folds where there are any, otherwise the negative log likelihood.
double value_at(const Problem& problem, const Vector& u, int threads) {
  if (!problem.folds.folds.empty()) {
    const std::optional<HeldOutScore> score = held_out_score(problem, u, threads);
    return score ? score->squares : std::numeric_limits<double>::infinity();
  }
  try {
    return negative_log_likelihood(kernel_at(problem, u), noise_at(problem, u), problem.x, problem.y, false, threads)
        .value;
  } catch (const NumericalError&) {
    return std::numeric_limits<double>::infinity();
  }
}

/// Logarithms of the periods to try. Of a period that was not given these are the peaks of the periodogram with their
/// multiples and fractions, among which the error decides, or a grid where there is no peak.
std::vector<double> periods_to_try(const Problem& problem, const Parameter& period, double typed, double lower,
                                   double upper) {
  constexpr std::size_t most_peaks = 4;
  std::vector<double> tried;
  if (!period.given && period.columns.size() == 1) {
    for (const double p : likely_periods(problem.x.col(period.columns.front()), problem.y, most_peaks)) {
      for (const double multiple : {1.0, 2.0, 3.0, 0.5, 1.0 / 3}) tried.push_back(std::log(multiple * p));
    }
  }
  // The data cannot reveal a period longer than their range.
  const double low = period.given ? typed - std::log(1.25) : lower;
  const double high = period.given ? typed + std::log(1.25) : upper - std::log(10.0);
  if (tried.empty()) {
    for (int c = 0; c < candidates; ++c) tried.push_back(low + (high - low) * c / (candidates - 1));
  }
  for (double& p : tried) p = std::clamp(p, lower, upper);
  return tried;
}

}  // namespace

Problem with_scanned_periods(Problem problem, std::uint64_t seed, int threads) {
  const std::vector<Parameter> free = problem.kernel.free_parameters();
  if (std::none_of(free.begin(), free.end(), [](const Parameter& p) { return p.role == Role::period; })) return problem;
  Problem few = scanned_part(problem, seed);
  // Near periods that were given, the likelihood decides, which has fewer local optima than the error of the folds.
  const bool all_given =
      std::none_of(free.begin(), free.end(), [](const Parameter& p) { return p.role == Role::period && !p.given; });
  if (all_given) few.folds.folds.clear();
  const LogParameters parameters = log_parameters(problem);
  Vector best = parameters.value;
  double lowest = value_at(few, best, threads);
  for (std::size_t i = 0; i < free.size(); ++i) {
    if (free[i].role != Role::period) continue;
    const auto at = static_cast<Index>(i);
    for (const double p :
         periods_to_try(problem, free[i], parameters.value(at), parameters.lower(at), parameters.upper(at))) {
      Vector u = best;
      u(at) = p;
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
