/// Calibration of variances: factors with which the predicted variances match the held-out errors.
#pragma once

#include "evaluation/fold_evaluator.hpp"
#include "gpcv/model.hpp"
#include "gpcv/trainer.hpp"

namespace gpcv {

/// Predictive variances of held-out rows, noise included. Each comes from the fold that held the row out, by the
/// estimator that predictions of this model would use.
struct HeldOutVariance {
  std::string method;
  Vector variance;  ///< one per row, NaN where none was computed; empty if there are none
};
/// Held-out variances at the evaluator's accepted point, which are the problem's own values. They cover a sample of the
/// rows if there are many, unless every row is requested.
HeldOutVariance held_out_variance(FoldEvaluator& evaluator, const Problem& problem, const ComputeOptions& compute,
                                  bool every_row = false);

/// Noise that training does not determine: squared errors hardly change when the noise vanishes, but densities do. It
/// is the t ≥ 0 of largest likelihood of r_i ~ N(0, c v_i + t) over c and t, or 0 unless that likelihood is well above
/// that of t = 0.
double added_noise(const Vector& residuals, const HeldOutVariance& held);

/// Calibration factor σ̂² of each variance estimator: the mean of r_i²/v_i over held-out rows, or with added noise the
/// c of largest likelihood. The factor also corrects an estimator that is only a bound. The factor of `held` comes
/// first. `residuals` has one value per row, NaN where there is none. The result is empty if there are no variances.
std::vector<VarianceFactor> variance_factors(const Problem& problem, const Vector& residuals,
                                             const HeldOutVariance& held, const ComputeOptions& compute,
                                             double added = 0);

}  // namespace gpcv
