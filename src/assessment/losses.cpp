#include "assessment/losses.hpp"

#include <cmath>

#include "prediction/standard_error.hpp"

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

}  // namespace gpcv
