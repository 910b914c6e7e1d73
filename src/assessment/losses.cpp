#include "assessment/losses.hpp"

#include <cmath>

#include "prediction/standard_error.hpp"
#include "prediction/transformed_distribution.hpp"

namespace gpcv {

Vector held_out_losses(const Vector& residuals, const Vector& variances, double degrees, Criterion criterion) {
  if (criterion == Criterion::squared) return residuals.cwiseAbs2();
  Vector losses = Vector::Constant(residuals.size(), std::nan(""));
  for (Index i = 0; i < losses.size(); ++i) {
    if (!std::isfinite(residuals(i)) || !(variances(i) > 0)) continue;
    const double s = std::sqrt(variances(i)), z = residuals(i) / s;
    losses(i) = criterion == Criterion::crps ? s * standard_crps(z, degrees)
                                             : std::log(s) + standard_negative_log_density(z, degrees);
  }
  return losses;
}

Vector transformed_losses(const Prediction& prediction, ConstVectorView y, Criterion criterion) {
  if (criterion == Criterion::squared) return (y - prediction.mean).cwiseAbs2();
  const TransformedDistribution distribution(prediction.transform, prediction.degrees);
  Vector losses = Vector::Constant(y.size(), std::nan(""));
  for (Index i = 0; i < losses.size(); ++i) {
    const double centre = prediction.transformed_mean(i), variance = prediction.transformed_variance(i);
    if (!std::isfinite(centre) || !(variance >= 0)) continue;
    const double s = std::sqrt(variance);
    losses(i) = criterion == Criterion::crps ? distribution.crps(centre, s, y(i))
                                             : distribution.negative_log_density(centre, s, y(i));
  }
  return losses;
}

}  // namespace gpcv
