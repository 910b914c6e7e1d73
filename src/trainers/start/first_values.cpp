#include "trainers/start/first_values.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "problem/data_scales.hpp"
#include "problem/parameters.hpp"
#include "trainers/common/trainer_traits.hpp"
#include "trainers/start/period_scan.hpp"
#include "trainers/start/subset_start.hpp"

namespace gpcv {
namespace {

constexpr Index pairs = 1000;
constexpr Index subset = 1000;

/// Median distance between random pairs of rows in the given columns; 0 if no pair differs.
double median_distance(const Matrix& x, const std::vector<Index>& columns, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> distances;
  const auto n = static_cast<std::uint64_t>(x.rows());
  for (Index i = 0; i < pairs; ++i) {
    const auto a = static_cast<Index>(random.below(n)), b = static_cast<Index>(random.below(n));
    double square = 0;
    for (Index c : columns) square += std::pow(x(a, c) - x(b, c), 2);
    if (square > 0) distances.push_back(std::sqrt(square));
  }
  if (distances.empty()) return 0;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

/// The problem with the length scales that were not given at the median distance, which assumes that all columns are
/// equally relevant.
Problem at_median_distances(Problem problem, std::uint64_t seed) {
  std::vector<Parameter> parameters(problem.kernel.parameters().begin(), problem.kernel.parameters().end());
  for (Parameter& p : parameters) {
    if (p.fixed || p.given || p.role != Role::length_scale || p.columns.empty()) continue;
    const double share = static_cast<double>(problem.x.cols()) / static_cast<double>(p.columns.size());
    const double median = median_distance(problem.x, p.columns, seed) * std::sqrt(share);
    if (!(median > 0)) continue;
    p.value = p.bounds ? std::clamp(median, p.bounds->lower, p.bounds->upper) : median;
  }
  problem.kernel = problem.kernel.with_parameters(std::move(parameters));
  return problem;
}

}  // namespace

Problem started(const Problem& given, const TrainOptions& options) {
  Problem problem = with_default_start(given);
  if (options.start == Start::median) problem = at_median_distances(std::move(problem), options.seed);
  if (options.scan_periods) problem = with_scanned_periods(std::move(problem), options.seed, options.compute.threads);
  if (options.start == Start::subset && !trainer_traits(options.trainer).finds_subset_starts) {
    const Vector best = subset_starts(problem, std::min(problem.x.rows(), subset), options).front();
    problem.noise.variance = noise_at(problem, best);
    problem.kernel = kernel_at(problem, best);
  }
  return problem;
}

}  // namespace gpcv
