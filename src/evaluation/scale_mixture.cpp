#include "evaluation/scale_mixture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/golden_section.hpp"

namespace gpcv {
namespace {

/// Student's t distributions that are tried: degrees of freedom ν and width κ. Errors with one degree have no mean,
/// those with ten are nearly normal. A width of 1 is heavy-tailed noise, a larger one gross errors, beside which the
/// others keep their weight: with ν = 1 and κ = 1 alone, errors of two deviations had the weight 0.83 in a table with 5
/// % of 20 deviations, and predictions lost 5 %.
struct Tail {
  double degrees, width;
};
constexpr std::array<Tail, 11> tails_tried{
    {{1, 1}, {2, 1}, {3, 1}, {5, 1}, {10, 1}, {1, 10}, {3, 10}, {1, 100}, {3, 100}, {1, 1000}, {3, 1000}}};
/// Gain in log likelihood that makes the parameters ε, ν and κ worth having.
constexpr double worth_three_parameters = 5;
/// Precisions of the quadrature, evenly spaced in the logarithm: errors of a million deviations are inside.
constexpr Index nodes = 76;
constexpr double largest_precision = 8, step = 0.4;
/// Least weight of a row, and the deviations beyond which an error counts as so far off in the mixture; its weight is
/// then divided by the square of what is left.
constexpr double least_precision = 1e-24, furthest = 1e5;
/// Ordinary rows of the estimate; those far off take part in any case.
constexpr Index most_ordinary = 4000;
constexpr double ordinary_square = 9;
/// Median of the square of a standard normal number.
constexpr double median_square = 0.4549;

double precision_at(Index node) { return largest_precision * std::exp(-step * static_cast<double>(node)); }

/// Probability of each precision where κλ ~ Gamma(ν/2, ν/2): the density of ln λ is proportional to
/// (κλ)^{ν/2} e^{−νκλ/2}.
Vector probabilities(double degrees, double width) {
  Vector p(nodes);
  for (Index j = 0; j < nodes; ++j) {
    const double precision = width * precision_at(j);
    p(j) = std::exp(0.5 * degrees * (std::log(precision) - precision));
  }
  return p / p.sum();
}

bool is_known(const SplitErrors& errors, Index i) {
  return std::isfinite(errors.error(i)) && errors.function(i) + errors.noise(i) > 0;
}

/// Density of one error at each precision, the last entry at λ = 1, relative to the largest, and the logarithm of that.
std::pair<Vector, double> densities(double error, double function, double noise, double factor) {
  Vector logs(nodes + 1);
  for (Index j = 0; j <= nodes; ++j) {
    const double variance = factor * (function + noise / (j < nodes ? precision_at(j) : 1));
    logs(j) = -0.5 * (std::log(variance) + error * error / variance);
  }
  const double largest = logs.maxCoeff();
  return {(logs.array() - largest).exp(), largest};
}

/// An error within reach of the quadrature, given a variance that normal errors would have.
double within_reach(double error, double variance) {
  const double most = furthest * std::sqrt(variance);
  return std::clamp(error, -most, most);
}

double weighted_median(std::vector<std::pair<double, double>> values) {
  std::sort(values.begin(), values.end());
  double total = 0, below = 0;
  for (const auto& [value, weight] : values) total += weight;
  for (const auto& [value, weight] : values) {
    below += weight;
    if (2 * below >= total) return value;
  }
  return 0;
}

/// The rows of an estimate, with the number of rows that each stands for.
class Sample {
 public:
  explicit Sample(const SplitErrors& errors) : errors_(errors) {
    std::vector<std::pair<double, double>> squares;
    std::vector<Index> known;
    for (Index i = 0; i < errors.error.size(); ++i) {
      if (!is_known(errors, i)) continue;
      known.push_back(i);
      squares.emplace_back(square(i), 1);
    }
    if (known.empty()) return;
    middle_ = weighted_median(std::move(squares)) / median_square;
    std::vector<Index> ordinary;
    for (const Index i : known) {
      if (square(i) <= ordinary_square * middle_) {
        ordinary.push_back(i);
      } else {
        add(i, 1);
      }
    }
    const auto count = static_cast<Index>(ordinary.size());
    const Index taken = std::min(count, most_ordinary);
    const double each = static_cast<double>(count) / static_cast<double>(std::max<Index>(1, taken));
    for (Index k = 0; k < taken; ++k) add(ordinary[static_cast<std::size_t>(k * count / taken)], each);
  }

  std::size_t size() const { return rows_.size(); }
  double weight(std::size_t k) const { return weights_[k]; }
  std::pair<Vector, double> densities_of(std::size_t k, double factor) const {
    const Index i = rows_[k];
    return densities(error(i), errors_.function(i), errors_.noise(i), factor);
  }
  /// Log density at λ = 1.
  double normal_log(std::size_t k, double factor) const {
    const Index i = rows_[k];
    const double variance = factor * (errors_.function(i) + errors_.noise(i));
    return -0.5 * (std::log(variance) + error(i) * error(i) / variance);
  }
  /// The scale a by which half of the rows lie inside of where half of normal errors do.
  double middle() const { return middle_; }
  /// The scale a of largest likelihood for normal errors.
  double mean_square() const {
    double sum = 0, count = 0;
    for (std::size_t k = 0; k < size(); ++k) {
      sum += weights_[k] * std::min(square(rows_[k]), furthest * furthest * middle_);
      count += weights_[k];
    }
    return sum / count;
  }

 private:
  double variance(Index i) const { return errors_.function(i) + errors_.noise(i); }
  double square(Index i) const { return errors_.error(i) * errors_.error(i) / variance(i); }
  double error(Index i) const { return within_reach(errors_.error(i), middle_ * variance(i)); }
  void add(Index row, double weight) {
    rows_.push_back(row);
    weights_.push_back(weight);
  }

  const SplitErrors& errors_;
  std::vector<Index> rows_;
  std::vector<double> weights_;
  double middle_ = 0;
};

/// log likelihood Σ c_i ln((1 − ε) n_i + ε t_i), which is concave in ε, at its largest; and that ε.
std::pair<double, double> best_share(const Sample& sample, const Vector& normal, const Vector& wide) {
  const auto slope = [&](double share) {
    double sum = 0;
    for (std::size_t k = 0; k < sample.size(); ++k) {
      const auto i = static_cast<Index>(k);
      const double difference = wide(i) - normal(i);
      sum += sample.weight(k) * difference / std::max(normal(i) + share * difference, 1e-300);
    }
    return sum;
  };
  constexpr int bisections = 20;
  double low = 0, high = 1;
  for (int b = 0; b < bisections; ++b) {
    const double middle = 0.5 * (low + high);
    (slope(middle) > 0 ? low : high) = middle;
  }
  const double share = 0.5 * (low + high);
  double value = 0;
  for (std::size_t k = 0; k < sample.size(); ++k) {
    const auto i = static_cast<Index>(k);
    value += sample.weight(k) * std::log(std::max((1 - share) * normal(i) + share * wide(i), 1e-300));
  }
  return {value, share};
}

/// The best mixture with a factor a, and its log likelihood.
std::pair<double, ScaleMixture> best_mixture(const Sample& sample, double factor) {
  const auto rows = static_cast<Index>(sample.size());
  Matrix density(rows, nodes + 1);
  double of_largest = 0;
  for (std::size_t k = 0; k < sample.size(); ++k) {
    const auto [row, largest] = sample.densities_of(k, factor);
    density.row(static_cast<Index>(k)) = row.transpose();
    of_largest += sample.weight(k) * largest;
  }
  std::pair<double, ScaleMixture> best{-std::numeric_limits<double>::infinity(), {}};
  const Vector normal = density.col(nodes);
  for (const auto& [degrees, width] : tails_tried) {
    const Vector wide = density.leftCols(nodes) * probabilities(degrees, width);
    const auto [value, share] = best_share(sample, normal, wide);
    if (value > best.first) best = {value, {factor, share, degrees, width}};
  }
  best.first += of_largest;
  return best;
}

}  // namespace

ScaleMixture scale_mixture(const SplitErrors& errors) {
  const Sample sample(errors);
  ScaleMixture normal;
  if (sample.size() == 0 || !(sample.middle() > 0)) return normal;
  normal.factor = sample.mean_square();
  double likelihood = 0;
  for (std::size_t k = 0; k < sample.size(); ++k) likelihood += sample.weight(k) * sample.normal_log(k, normal.factor);
  constexpr double range = 1.4;
  constexpr int steps = 12;
  const double centre = std::log(sample.middle());
  const auto worse = [&](double log_factor) { return -best_mixture(sample, std::exp(log_factor)).first; };
  const double at = golden_minimum(worse, centre - range, centre + range, steps).first;
  const auto [value, mixture] = best_mixture(sample, std::exp(at));
  return value > likelihood + worth_three_parameters ? mixture : normal;
}

Vector ScaleMixture::precisions(const SplitErrors& errors) const {
  Vector out = Vector::Ones(errors.error.size());
  if (is_normal()) return out;
  const Vector prior = probabilities(degrees, width);
  for (Index i = 0; i < out.size(); ++i) {
    if (!is_known(errors, i)) continue;
    const double error = within_reach(errors.error(i), factor * (errors.function(i) + errors.noise(i)));
    const double beyond = error != 0 ? errors.error(i) / error : 1;
    const Vector density = densities(error, errors.function(i), errors.noise(i), factor).first;
    double expected = (1 - share) * density(nodes), total = expected;
    for (Index j = 0; j < nodes; ++j) {
      const double part = share * prior(j) * density(j);
      total += part;
      expected += part * precision_at(j);
    }
    out(i) = std::clamp(expected / total / (beyond * beyond), least_precision, 1.0);
  }
  return out;
}

}  // namespace gpcv
