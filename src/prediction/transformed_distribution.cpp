#include "prediction/transformed_distribution.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "prediction/standard_error.hpp"

namespace gpcv {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// The trapezoidal rule for normal distributions: its error is about e^{−2π²/h²}, and moments of e^{su} up to s = 4
/// have their mass inside.
constexpr double trapezoid_step = 0.125, trapezoid_reach = 17;
/// Intervals of Simpson's rule for Student's t between its cut tails.
constexpr int simpson_intervals = 256;
/// Width of the panels on which ten Gauss points integrate up to y.
constexpr double panel_width = 1;

double normal_weight(double z) { return std::exp(-standard_negative_log_density(z, infinity)); }

}  // namespace

TransformedDistribution::TransformedDistribution(const TargetTransform& transform, double degrees)
    : transform_(transform),
      degrees_(degrees),
      density_constant_(standard_negative_log_density(0, degrees)),
      reach_(trapezoid_reach),
      atom_(0) {
  if (std::isinf(degrees)) {
    const int half = static_cast<int>(trapezoid_reach / trapezoid_step);
    for (int k = -half; k <= half; ++k) {
      const double z = trapezoid_step * k, weight = trapezoid_step * normal_weight(z);
      nodes_.push_back(z);
      weights_.push_back(weight);
      ranks_.push_back(weight * std::erf(z / std::numbers::sqrt2));
    }
    return;
  }
  // With u = F⁻¹(Φ(z)) the integral over F becomes one over the normal distribution, whose integrand is smooth.
  atom_ = cut_tail;
  reach_ = -standard_quantile(cut_tail, degrees);
  const double end = -standard_quantile(cut_tail, infinity), step = 2 * end / simpson_intervals;
  double sum = 0;
  for (int k = 0; k <= simpson_intervals; ++k) {
    const bool is_end = k == 0 || k == simpson_intervals;
    const double z = is_end ? (k == 0 ? -end : end) : -end + step * k;
    const double part = probability_below(-std::abs(z), infinity);
    const double u = standard_quantile(part, degrees);
    nodes_.push_back(z < 0 ? u : -u);
    weights_.push_back(step / 3 * (is_end ? 1 : k % 2 == 1 ? 4 : 2) * normal_weight(z));
    sum += weights_.back();
    ranks_.push_back(std::erf(z / std::numbers::sqrt2));
  }
  for (std::size_t k = 0; k < weights_.size(); ++k) {
    weights_[k] *= (1 - 2 * cut_tail) / sum;
    ranks_[k] *= weights_[k];
  }
  weights_.front() += cut_tail;
  weights_.back() += cut_tail;
  // ∫ (2p − 1) dp over the probabilities p of an atom
  ranks_.front() -= cut_tail * (1 - cut_tail);
  ranks_.back() += cut_tail * (1 - cut_tail);
}

double TransformedDistribution::density(double u) const {
  // Student's t scaled to the variance 1: ∝ (1 + u²/(ν − 2))^{−(ν + 1)/2}
  const double exponent =
      std::isinf(degrees_) ? 0.5 * u * u : 0.5 * (degrees_ + 1) * std::log1p(u * u / (degrees_ - 2));
  return std::exp(-density_constant_ - exponent);
}

TransformedDistribution::Moments TransformedDistribution::moments(double centre, double deviation) const {
  // Deviations from the median, so that a small variance keeps its digits.
  const double median = transform_.inverse(centre);
  double first = 0, second = 0;
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    const double away = transform_.inverse(centre + deviation * nodes_[k]) - median;
    first += weights_[k] * away;
    second += weights_[k] * away * away;
  }
  return {median + first, std::max(second - first * first, 0.0)};
}

double TransformedDistribution::negative_log_density(double centre, double deviation, double y) const {
  const bool at_zero = transform_.kind == TargetTransform::Kind::sqrt && y == 0;
  if (!transform_.contains(y)) return infinity;
  const double away = transform_.forward(y) - centre;
  if (deviation == 0) return away == 0 ? -infinity : infinity;
  if (at_zero) return -std::log(probability_below(away / deviation, degrees_));
  return std::log(deviation) + standard_negative_log_density(away / deviation, degrees_) -
         std::log(transform_.derivative(y));
}

double TransformedDistribution::shortfall(double centre, double deviation, double y, double u) const {
  const auto below = [&](double at) { return y - transform_.inverse(centre + deviation * at); };
  double sum = atom_ * std::max(below(-reach_), 0.0);
  const int panels = std::max(1, static_cast<int>(std::ceil((u + reach_) / panel_width)));
  const double width = (u + reach_) / panels;
  for (int k = 0; k < panels; ++k) {
    const double from = -reach_ + k * width;
    sum += boost::math::quadrature::gauss<double, 10>::integrate([&](double at) { return below(at) * density(at); },
                                                                 from, k + 1 == panels ? u : from + width);
  }
  return sum;
}

double TransformedDistribution::crps(double centre, double deviation, double y) const {
  if (deviation == 0) return std::abs(y - transform_.inverse(centre));
  // E|Y − y| − ½ E|Y − Y'| = E Y − y + 2 E max(0, y − Y) − E Y(2F(Y) − 1)
  const double median = transform_.inverse(centre);
  double mean = median, spread = 0;
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    const double away = transform_.inverse(centre + deviation * nodes_[k]) - median;
    mean += weights_[k] * away;
    spread += ranks_[k] * away;
  }
  const double u = (transform_.forward(y) - centre) / deviation;
  const double below = u <= -reach_ ? 0 : u >= reach_ ? y - mean : shortfall(centre, deviation, y, u);
  return std::max(mean - y + 2 * below - spread, 0.0);
}

}  // namespace gpcv
