#include "posterior/variance_scale.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "gpcv/error.hpp"
#include "posterior/conditioning.hpp"
#include "posterior/variance.hpp"
#include "solvers/dense_cross_validation.hpp"

namespace gpcv {
namespace {

/// Up to here predictions are exact whatever their number (resolve_variance).
constexpr Index exact_rows = 4096;
/// Up to here one factorisation does for all folds; above, one fold speaks for all.
constexpr Index all_folds_rows = 2000;
/// Held-out rows asked of an estimator that works point by point: their mean of r²/v is within 10 % or so.
constexpr Index sampled_rows = 200;
constexpr std::uint64_t sample_seed = 1;

/// Mean of r²/v over the rows that have both.
double mean_ratio(const std::vector<double>& residuals, const std::vector<double>& variances) {
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    if (!std::isfinite(residuals[i]) || !(variances[i] > 0)) continue;
    sum += residuals[i] * residuals[i] / variances[i];
    ++count;
  }
  return sum / count;  // NaN when there is none
}

Folds some_folds(const Folds& folds) {
  if (folds.rows <= all_folds_rows) return folds;
  Folds some{folds.rows, {folds.folds.front()}, folds.description};
  // Forward-chaining: the last block is predicted from most rows, as new data will be.
  for (const Fold& fold : folds.folds) {
    if (fold.training.size() > some.folds.front().training.size()) some.folds.front() = fold;
  }
  return some;
}

double exact_factor(const Problem& problem, const Vector& residuals, const ComputeOptions& compute) {
  const Folds folds = some_folds(problem.folds);
  const DenseCrossValidation dense(problem.kernel.lower(), problem.noise.variance, problem.x, problem.y, folds,
                                   compute);
  const Vector variances = dense.variances();
  std::vector<double> r, v;
  Index at = 0;
  for (const Fold& fold : folds.folds) {
    for (Index row : fold.validation) {
      r.push_back(residuals(row));
      v.push_back(variances(at++));
    }
  }
  return mean_ratio(r, v);
}

double neighbour_factor(const Problem& problem, const Vector& residuals, Index neighbours,
                        const ComputeOptions& compute) {
  std::vector<double> r, v;
  Random random(sample_seed);
  const Index per_fold = std::max<Index>(1, sampled_rows / problem.folds.size());
  for (const Fold& fold : problem.folds.folds) {
    std::vector<Index> rows;
    const auto order = random.permutation(static_cast<Index>(fold.validation.size()));
    for (std::size_t i = 0; i < order.size() && static_cast<Index>(i) < per_fold; ++i) {
      rows.push_back(fold.validation[static_cast<std::size_t>(order[i])]);
    }
    Model part;
    part.x = problem.x(fold.training, Eigen::all);
    part.kernel = problem.kernel;
    part.noise = problem.noise.variance;
    const Vector variance = neighbour_variance(part, neighbours, compute)->variance(problem.x(rows, Eigen::all));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      r.push_back(residuals(rows[i]));
      v.push_back(std::max(0.0, variance(static_cast<Index>(i))) + problem.noise.variance);
    }
  }
  return mean_ratio(r, v);
}

}  // namespace

std::vector<VarianceFactor> variance_factors(const Problem& problem, const Vector& residuals,
                                             const ComputeOptions& compute) {
  std::vector<VarianceFactor> factors;
  const auto add = [&](const VarianceMethod& method, double factor) {
    if (std::isfinite(factor) && factor > 0) factors.push_back({method.to_string(), factor});
  };
  try {
    if (problem.x.rows() <= exact_rows && factor_fits(problem.x.rows(), problem.x.cols(), compute)) {
      add({.kind = VarianceMethod::Kind::exact}, exact_factor(problem, residuals, compute));
    } else {
      const VarianceMethod near{.kind = VarianceMethod::Kind::neighbours};
      add(near, neighbour_factor(problem, residuals, near.neighbours, compute));
    }
  } catch (const NumericalError&) {
    // A matrix that cannot be factorised says nothing about the scale.
  }
  return factors;
}

double variance_factor(const Model& model, const std::string& method) {
  const std::vector<VarianceFactor>& known = model.variance_factors;
  for (const VarianceFactor& f : known) {
    if (f.method == method) return f.factor;
  }
  return known.empty() ? 1 : known.front().factor;
}

}  // namespace gpcv
