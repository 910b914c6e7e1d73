#include "problem/data_scales.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.hpp"
#include "problem/parameters.hpp"

namespace gpcv {
namespace {

/// The 5 % quantile of the gaps between neighbouring distinct values. A lower quantile would be determined by rounding
/// noise.
double small_gap(Eigen::VectorXd column) {
  std::sort(column.begin(), column.end());
  std::vector<double> gaps;
  for (Index i = 1; i < column.size(); ++i) {
    if (column(i) > column(i - 1)) gaps.push_back(column(i) - column(i - 1));
  }
  if (gaps.empty()) return 1;
  const auto quantile = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 20);
  std::nth_element(gaps.begin(), quantile, gaps.end());
  return *quantile;
}

/// Geometric mean of the scales of some columns; 1 if there are none, as for a dimensionless parameter.
double geometric_mean(const Vector& scale, const std::vector<Index>& columns) {
  if (columns.empty()) return 1;
  double sum = 0;
  for (Index c : columns) sum += std::log(scale(c));
  return std::exp(sum / static_cast<double>(columns.size()));
}

}  // namespace

DataScales DataScales::of(ConstView x, ConstVectorView y, bool with_spacing, int threads) {
  const Index d = x.cols();
  DataScales scales{Vector::Ones(d), Vector::Ones(d), Vector::Ones(d), 1};
  parallel_for(static_cast<int>(d), threads, [&](int c) {
    const double range = x.col(c).maxCoeff() - x.col(c).minCoeff();
    if (!(range > 0)) return;
    scales.range(c) = range;
    scales.spread(c) = std::sqrt((x.col(c).array() - x.col(c).mean()).square().mean());
    if (with_spacing) scales.spacing(c) = small_gap(x.col(c));
  });
  const double power = y.squaredNorm() / static_cast<double>(std::max<Index>(1, y.size()));
  if (power > 0) scales.power = power;
  return scales;
}

double DataScales::start(const Parameter& parameter) const {
  switch (parameter.role) {
    case Role::variance:
      return power;
    case Role::length_scale:
      if (parameter.columns.empty()) return 1;
      // Two points with d standardised columns are about √(2d) apart.
      return geometric_mean(spread, parameter.columns) * std::sqrt(static_cast<double>(spread.size()));
    case Role::period:
      return geometric_mean(range, parameter.columns) / 10;
    case Role::shape:
      return 1;
  }
  return 1;
}

Bounds DataScales::bounds(const Parameter& parameter) const {
  const double gap = geometric_mean(spacing, parameter.columns);
  const double extent = geometric_mean(range, parameter.columns);
  switch (parameter.role) {
    case Role::variance:
      return {1e-6 * power, 1e6 * power};
    case Role::length_scale:
      return {0.1 * gap, 1000 * extent};
    case Role::period:
      return {2 * gap, 10 * extent};
    case Role::shape:
      return {1e-3, 1e3};
  }
  return {1e-6, 1e6};
}

Bounds DataScales::amplitude_bounds(const Parameter& parameter) const {
  constexpr double most_deviations = 100;
  const double unit = geometric_mean(spread, parameter.columns) / std::sqrt(power);
  return {unit / most_deviations, 1000 * geometric_mean(range, parameter.columns)};
}

Problem with_default_start(Problem problem) {
  const DataScales scales = DataScales::of(problem.x, problem.y, false);
  std::vector<Parameter> parameters(problem.kernel.parameters().begin(), problem.kernel.parameters().end());
  for (Parameter& p : parameters) {
    if (p.given || p.fixed) continue;
    p.value = scales.start(p);
    if (p.bounds) p.value = std::clamp(p.value, p.bounds->lower, p.bounds->upper);
  }
  problem.kernel = problem.kernel.with_parameters(std::move(parameters));
  if (!problem.noise.given && !problem.noise.fixed) problem.noise.variance = scales.noise_start();
  return problem;
}

Vector random_start(const Problem& problem, Random& random) {
  const LogParameters u = log_parameters(problem);
  const std::vector<Parameter> free = problem.kernel.free_parameters();
  Vector start = u.value;
  for (std::size_t i = 0; i < free.size(); ++i) {
    const auto at = static_cast<Index>(i);
    if (free[i].role == Role::period && !free[i].given) {
      // The likelihood has a local optimum near every period, so that the guess covers the whole range.
      start(at) = random.uniform(u.lower(at), u.upper(at));
    } else {
      // A period that the user gave is a better guess, so that the start stays near it.
      constexpr double period_spread = 0.1, length_spread = 1.0, other_spread = 0.5;
      const double spread = free[i].role == Role::period         ? period_spread
                            : free[i].role == Role::length_scale ? length_spread
                                                                 : other_spread;
      start(at) += spread * random.normal();
    }
  }
  if (!problem.noise.fixed) start(start.size() - 1) += random.uniform(std::log(1e-3), std::log(3.0));
  return start.cwiseMax(u.lower).cwiseMin(u.upper);
}

}  // namespace gpcv
