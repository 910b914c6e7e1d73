#include "assessment/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "evaluation/conditioning.hpp"
#include "evaluation/held_out_variance.hpp"
#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"
#include "problem/parameters.hpp"

namespace gpcv {
namespace {

/// Number of held-out rows for an estimator that works point by point; the standard error of their mean of r²/v is
/// about 10 %.
constexpr Index sampled_rows = 200;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Number of rows on which two estimators are compared; the ratio of their variances varies so little that these
/// suffice.
constexpr Index compared_rows = 10;

/// Limit of a row's weight, in standard deviations. Practically no row of a normal distribution reaches it, but a row
/// without noise beside an equal row may have any r²/v, and a single such row would determine the mean.
constexpr double furthest = 5;

/// The largest c with c = mean of min(r²/v, 25 c) over the rows that have both; NaN if there are none.
double mean_ratio(const Vector& residuals, const Vector& variances) {
  std::vector<double> ratios;
  for (Index i = 0; i < residuals.size(); ++i) {
    const double ratio = residuals(i) * residuals(i) / variances(i);
    if (std::isfinite(ratio) && variances(i) > 0) ratios.push_back(ratio);
  }
  if (ratios.empty()) return nan;
  double scale = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 200; ++iteration) {
    double sum = 0;
    for (const double ratio : ratios) sum += std::min(ratio, furthest * furthest * scale);
    const double next = sum / static_cast<double>(ratios.size());
    if (!(next < (1 - 1e-9) * scale)) break;
    scale = next;
  }
  return scale;
}

/// Gain in log likelihood that is required before noise is added.
constexpr double worth_a_parameter = 5;

struct ScaleAndValue {
  double scale = 1;
  double value = 0;  ///< −Σ log N(r; 0, c v + t), without its constant
};

/// The best c for a given t, by golden-section search in log c.
ScaleAndValue best_scale(const std::vector<std::pair<double, double>>& rows, double added, double near) {
  const auto value = [&](double log_scale) {
    double sum = 0;
    for (const auto& [squared, variance] : rows) {
      const double v = std::exp(log_scale) * variance + added;
      sum += 0.5 * (std::log(v) + squared / v);
    }
    return sum;
  };
  constexpr double golden = 0.6180339887498949;
  double low = std::log(near) - 14, high = std::log(near) + 5;
  for (int i = 0; i < 40; ++i) {
    const double left = high - golden * (high - low), right = low + golden * (high - low);
    (value(left) < value(right) ? high : low) = value(left) < value(right) ? right : left;
  }
  return {std::exp(0.5 * (low + high)), value(0.5 * (low + high))};
}

std::vector<std::pair<double, double>> paired(const Vector& residuals, const Vector& variances) {
  std::vector<std::pair<double, double>> rows;
  for (Index i = 0; i < variances.size(); ++i) {
    if (std::isfinite(residuals(i)) && variances(i) > 0) rows.emplace_back(residuals(i) * residuals(i), variances(i));
  }
  return rows;
}

/// Mean of a/b over the rows that have both.
double ratio_of(const Vector& a, const Vector& b) {
  const Vector ratio = a.cwiseQuotient(b);
  double sum = 0, count = 0;
  for (double value : ratio) {
    if (!std::isfinite(value)) continue;
    sum += value;
    ++count;
  }
  return sum / count;
}

/// The problem with those validated rows alone that have a variance.
Problem with_variance(const Problem& problem, const Vector& variance) {
  Problem some = problem;
  for (Fold& fold : some.folds.folds) {
    std::erase_if(fold.validation, [&](Index row) { return !std::isfinite(variance(row)); });
  }
  std::erase_if(some.folds.folds, [](const Fold& fold) { return fold.validation.empty(); });
  return some;
}

}  // namespace

HeldOutVariance held_out_variance(FoldEvaluator& evaluator, const Problem& problem, const ComputeOptions& compute,
                                  bool every_row) {
  VarianceMethod method{.kind = VarianceMethod::Kind::neighbours};
  if (problem.x.rows() <= exact_variance_rows && factor_fits(problem.x.rows(), problem.x.cols(), compute)) {
    method.kind = VarianceMethod::Kind::exact;
  }
  const Index sample = every_row ? problem.folds.validated() * problem.folds.size() : sampled_rows;
  try {
    return {method.to_string(), evaluator.variances(method, sample)};
  } catch (const NumericalError&) {
    return {};  // a matrix that cannot be factorised gives no variances
  }
}

double added_noise(const Vector& residuals, const HeldOutVariance& held) {
  const auto rows = paired(residuals, held.variance);
  const double scale = mean_ratio(residuals, held.variance);
  if (rows.empty() || !(scale > 0) || !std::isfinite(scale)) return 0;
  double mean_square = 0;
  for (const auto& [squared, variance] : rows) mean_square += squared / static_cast<double>(rows.size());
  double best = best_scale(rows, 0, scale).value - worth_a_parameter, added = 0;
  for (double part = 1; part > 1e-5; part /= 1.5) {
    const double value = best_scale(rows, part * mean_square, scale).value;
    if (value < best) {
      best = value;
      added = part * mean_square;
    }
  }
  return added;
}

std::vector<VarianceFactor> variance_factors(const Problem& problem, const Vector& residuals,
                                             const HeldOutVariance& held, const ComputeOptions& compute, double added) {
  std::vector<VarianceFactor> factors;
  const auto add = [&](const std::string& method, double factor) {
    if (std::isfinite(factor) && factor > 0) factors.push_back({method, factor});
  };
  if (held.variance.size() == 0) return factors;
  const double scale = mean_ratio(residuals, held.variance);
  add(held.method, added > 0 ? best_scale(paired(residuals, held.variance), added, scale).scale : scale);
  // The user may request neighbours for a model that is small enough for exact variances.
  const VarianceMethod near{.kind = VarianceMethod::Kind::neighbours};
  if (factors.empty() || held.method == near.to_string() || problem.x.rows() <= near.neighbours) return factors;
  try {
    const Problem compared = with_variance(problem, held.variance);
    if (compared.folds.folds.empty()) return factors;
    const Vector bound = held_out_variance_at(compared, log_values(problem), near, compared_rows, compute);
    add(near.to_string(), factors.front().factor * ratio_of(held.variance, bound));
  } catch (const NumericalError&) {
  }
  return factors;
}

}  // namespace gpcv
