/// Predictions of a target, given those of its transform.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "gpcv/posterior.hpp"
#include "prediction/transformed_distribution.hpp"

namespace gpcv {
namespace {

/// Median of the variances that are known; 0 where none is.
double typical_variance(const Vector& variances) {
  std::vector<double> known;
  for (const double v : variances) {
    if (std::isfinite(v)) known.push_back(v);
  }
  if (known.empty()) return 0;
  const auto middle = known.begin() + static_cast<std::ptrdiff_t>(known.size() / 2);
  std::nth_element(known.begin(), middle, known.end());
  return *middle;
}

}  // namespace

Vector Prediction::at(double z) const {
  if (transform.is_none()) return mean + z * variance.cwiseSqrt();
  return transform.inverse(transformed_mean + z * transformed_variance.cwiseSqrt());
}

Vector Prediction::standardised(ConstVectorView y) const {
  if (transform.is_none()) return (y - mean).array() / variance.array().sqrt();
  // A target outside of the domain is further away than any other.
  static constexpr double furthest = 1e3;
  const Vector z = (transform.forward(y) - transformed_mean).array() / transformed_variance.array().sqrt();
  return z.unaryExpr([](double value) { return std::isnan(value) ? value : std::clamp(value, -furthest, furthest); });
}

Prediction Prediction::rows_at(const std::vector<Index>& rows) const {
  const auto some = [&](const Vector& values) { return values.size() > 0 ? Vector(values(rows)) : Vector(); };
  return {some(mean), some(variance), degrees, transform, some(transformed_mean), some(transformed_variance)};
}

Prediction in_target_units(const TargetTransform& transform, Prediction of_transformed) {
  if (transform.is_none()) return of_transformed;
  Prediction out{
      {}, {}, of_transformed.degrees, transform, std::move(of_transformed.mean), std::move(of_transformed.variance)};
  const Vector& centre = out.transformed_mean;
  const Vector& variance = out.transformed_variance;
  if (variance.size() == 0) {
    out.mean = transform.inverse(centre);
    return out;
  }
  const double typical = typical_variance(variance);
  const TransformedDistribution distribution(transform, out.degrees);
  out.mean = out.variance = Vector::Constant(centre.size(), std::numeric_limits<double>::quiet_NaN());
  for (Index i = 0; i < centre.size(); ++i) {
    if (!std::isfinite(centre(i))) continue;
    const bool known = std::isfinite(variance(i));
    const auto [mean, spread] = distribution.moments(centre(i), std::sqrt(known ? variance(i) : typical));
    out.mean(i) = mean;
    if (known) out.variance(i) = spread;
  }
  return out;
}

Prediction held_out_prediction(const Model& model) {
  const HeldOut& held = model.provenance.held_out;
  return in_target_units(model.transform, {held.mean, held.variance, model.error_scale.degrees});
}

}  // namespace gpcv
