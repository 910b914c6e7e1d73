#include "gpcv/predictive_scale.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/golden_section.hpp"
#include "core/student.hpp"
#include "evaluation/error_scale.hpp"

namespace gpcv {

bool PredictiveScale::is_identity() const { return factor == 1 && added == 0 && std::isinf(degrees); }

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// ν/(ν − 2), the variance of Student's t of scale 1.
double spread_of(double degrees) { return std::isinf(degrees) ? 1 : degrees / (degrees - 2); }

/// Squares beyond 25 variances, which practically no row of a normal distribution reaches, grow like a logarithm: a row
/// without noise beside its equal may have any r²/v, and would decide alone.
constexpr double furthest_square = 25;
/// Rows of the estimate; more would not make it noticeably better.
constexpr std::size_t most_rows = 2000;
/// Degrees of freedom that are tried, and the gain in log likelihood that makes Student's t worth a parameter.
constexpr double degrees_tried[] = {3, 4, 5, 7, 10, 15, 30};
constexpr double worth_a_parameter = 2, robust_degrees = 4;
/// Share of the held-out rows whose variances count as unusually large.
constexpr double rare_rows = 0.02;

struct Row {
  double squared = 0, variance = 0, weight = 1;
};

/// Negative log density of the standardised error z, given z².
class Density {
 public:
  explicit Density(double degrees) : degrees_(degrees) {
    constant_ = std::isinf(degrees) ? 0.5 * std::log(2 * std::numbers::pi)
                                    : std::lgamma(0.5 * degrees) - std::lgamma(0.5 * (degrees + 1)) +
                                          0.5 * std::log(degrees * std::numbers::pi);
  }
  double negative_log(double square) const {
    // ½ ln 2π + ½ z², or Student's −ln Γ((ν + 1)/2) + ln Γ(ν/2) + ½ ln νπ + ½ (ν + 1) ln(1 + z²/ν)
    if (!std::isinf(degrees_)) return constant_ + 0.5 * (degrees_ + 1) * std::log1p(square / degrees_);
    const double near = std::min(square, furthest_square);
    return constant_ + 0.5 * (near + furthest_square * std::log(std::max(1.0, square / furthest_square)));
  }

 private:
  double degrees_, constant_ = 0;
};

/// Half width of the central interval that holds 95 %, in units of the scale.
double half_width_95(double degrees) {
  constexpr double outside = 0.025, normal = 1.959963984540054;
  if (std::isinf(degrees)) return normal;
  return boost::math::quantile(boost::math::complement(Student(degrees), outside));
}

/// The estimate from one list of rows.
class ScaleSearch {
 public:
  ScaleSearch(std::vector<Row> rows, const ErrorScaleOptions& options) : rows_(std::move(rows)), options_(options) {
    std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.variance < b.variance; });
    const auto n = static_cast<double>(rows_.size());
    for (const Row& row : rows_) {
      mean_square_ += row.squared / n;
      mean_variance_ += row.variance / n;
    }
    const std::size_t near = std::max<std::size_t>(rows_.size() / 4, std::min<std::size_t>(rows_.size(), 5));
    double sum = 0;
    for (std::size_t i = 0; i < near; ++i) sum += rows_[i].squared;
    if (options.predictive) most_added_ = sum / static_cast<double>(near);
  }

  PredictiveScale run() const {
    auto [best, value] = best_of(infinity);
    value -= worth_a_parameter;
    for (const double degrees : degrees_tried) {
      if (!options_.predictive && degrees != robust_degrees) continue;
      const auto [found, at] = best_of(degrees);
      if (at >= value) continue;
      best = found;
      value = at;
    }
    if (options_.predictive) {
      // Three parameters were fitted to these rows; new rows are further off.
      constexpr double fitted = 3;
      const auto rows = static_cast<double>(rows_.size());
      const double wider = rows / std::max(1.0, rows - fitted);
      best.factor *= wider;
      best.added *= wider;
      best.observed_degrees = best.degrees;
      allow_for_few(best);
      widen_to_hold(best);
      set_rare(best);
    }
    return best;
  }

 private:
  /// Few independent errors leave the scale uncertain: ν is at most their number.
  void allow_for_few(PredictiveScale& scale) const {
    constexpr double fewest_degrees = 3, many = 30;
    if (options_.independent >= many) return;
    scale.degrees = std::min(scale.degrees, std::max(fewest_degrees, options_.independent));
  }

  /// The best a and b for given degrees of freedom, with their cost. Of a v̄ + b = T and b = share · T, the total T is
  /// well determined, the share less so.
  std::pair<PredictiveScale, double> best_of(double degrees) const {
    constexpr int steps = 30, share_steps = 8;
    const Density density(degrees);
    const auto at = [&](double share, double log_total) {
      const double total = std::exp(log_total), added = std::min(share * total, most_added_);
      return PredictiveScale{(total - added) / mean_variance_, added, degrees};
    };
    const double middle = std::log(mean_square_);
    const auto best_total = [&](double share) {
      return golden_minimum([&](double log_total) { return cost(at(share, log_total), density); }, middle - 12,
                            middle + 3, steps);
    };
    double best_share = 0, lowest = best_total(0).second;
    for (const double share : {0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95}) {
      if (!options_.added) break;
      const double value = best_total(share).second;
      if (value >= lowest) continue;
      lowest = value;
      best_share = share;
    }
    if (options_.added) {
      const double low = std::max(0.0, best_share - 0.1), high = std::min(0.97, best_share + 0.1);
      const auto [share, value] =
          golden_minimum([&](double s) { return best_total(s).second; }, low, high, share_steps);
      if (value < lowest) best_share = share;
    }
    const auto [log_total, value] = best_total(best_share);
    return {at(best_share, log_total), value};
  }

  /// Makes the scale larger where the 95 % intervals hold fewer rows than chance explains. The likelihood depends most
  /// on the many small errors, and the tails of real errors may be heavier than any of the densities.
  void widen_to_hold(PredictiveScale& scale) const {
    std::vector<double> sizes;
    for (const Row& row : rows_) sizes.push_back(std::sqrt(row.squared / (scale.factor * row.variance + scale.added)));
    std::sort(sizes.begin(), sizes.end());
    const double half_width = half_width_95(scale.degrees);
    const auto n = static_cast<double>(sizes.size());
    const auto held = static_cast<double>(std::upper_bound(sizes.begin(), sizes.end(), half_width) - sizes.begin());
    constexpr double wanted = 0.95;
    const auto rank = static_cast<std::size_t>(std::ceil((n + 1) * wanted));
    if (rank > sizes.size() || held / n >= wanted - std::sqrt(wanted * (1 - wanted) / n)) return;
    const double wider = std::pow(sizes[rank - 1] / half_width, 2);
    scale.factor *= wider;
    scale.added *= wider;
  }

  /// The scale of the rows with unusually large variances. A prior, log c ~ N(0, 1), keeps it near the kernel's own
  /// unless there are enough of them.
  void set_rare(PredictiveScale& scale) const {
    const auto usual = static_cast<std::size_t>((1 - rare_rows) * static_cast<double>(rows_.size() - 1));
    scale.usual = rows_[usual].variance;
    scale.largest = rows_.back().variance;
    const Density density(scale.degrees);
    const double spread = spread_of(scale.degrees);
    const auto cost = [&](double log_rare) {
      scale.rare = std::exp(log_rare);
      double sum = 0.5 * log_rare * log_rare;
      for (std::size_t i = usual + 1; i < rows_.size(); ++i) {
        const double s = scale.variance(rows_[i].variance) / spread;
        sum += 0.5 * std::log(s) + density.negative_log(rows_[i].squared / s);
      }
      return sum;
    };
    constexpr double least = -30, most = 5;
    constexpr int steps = 40;
    scale.rare = std::exp(golden_minimum(cost, least, most, steps).first);
  }

  /// −Σ log density of r_i/√s_i + ½ Σ log s_i with s_i = a v_i + b, and the prior.
  double cost(const PredictiveScale& scale, const Density& density) const {
    double sum = 0;
    for (const Row& row : rows_) {
      const double s = scale.factor * row.variance + scale.added;
      sum += row.weight * (0.5 * std::log(s) + density.negative_log(row.squared / s));
    }
    if (!options_.predictive) return sum;
    const double share = scale.added / (scale.factor * mean_variance_ + scale.added);
    return sum + 0.5 * std::pow(std::log(scale.factor), 2) - std::log1p(-share);
  }

  std::vector<Row> rows_;  ///< ascending variances
  ErrorScaleOptions options_;
  double mean_square_ = 0, mean_variance_ = 0, most_added_ = infinity;
};

}  // namespace

double PredictiveScale::variance(double v) const {
  const double rarely = std::max(std::min(v, largest) - usual, 0.0);
  return spread_of(degrees) * (factor * std::min(v, usual) + added) + rare * rarely + std::max(v - largest, 0.0);
}

double PredictiveScale::noise(double variance) const { return spread_of(degrees) * (factor * variance + added); }

double PredictiveScale::observed_noise(double variance) const {
  return spread_of(observed_degrees) * (factor * variance + added);
}

PredictiveScale error_scale(const Vector& residuals, const Vector& variances, const ErrorScaleOptions& options) {
  std::vector<Row> rows;
  double squares = 0;
  for (Index i = 0; i < variances.size(); ++i) {
    if (!std::isfinite(residuals(i)) || !std::isfinite(variances(i)) || !(variances(i) > 0)) continue;
    rows.push_back({residuals(i) * residuals(i), variances(i), options.weights.size() > 0 ? options.weights(i) : 1});
    squares += rows.back().squared;
  }
  if (rows.empty() || !(squares > 0)) return {};
  if (rows.size() > most_rows) {
    std::vector<Row> some;
    for (std::size_t i = 0; i < most_rows; ++i) some.push_back(rows[i * rows.size() / most_rows]);
    rows = std::move(some);
  }
  return ScaleSearch(std::move(rows), options).run();
}

}  // namespace gpcv
