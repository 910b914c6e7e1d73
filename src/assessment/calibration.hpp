/// How large variances must be for the held-out errors to be as large as they claim.
#pragma once

#include "evaluation/fold_evaluator.hpp"
#include "gpcv/model.hpp"
#include "gpcv/trainer.hpp"

namespace gpcv {

/// Predictive variance of held-out rows, noise included, each from the fold that held the row out, by the estimator
/// that predictions of this model would use.
struct HeldOutVariance {
  std::string method;
  Vector variance;  ///< one per row, NaN where none was computed; empty when there is nothing to go by
};
/// Variances at the evaluator's accepted point, which are the problem's own values: of a sample of the rows where there
/// are many, unless every row is asked for.
HeldOutVariance held_out_variance(FoldEvaluator& evaluator, const Problem& problem, const ComputeOptions& compute,
                                  bool every_row = false);

/// Noise that training has no use for: squared errors hardly change when it goes to nothing, densities do. The t ≥ 0 of
/// largest likelihood of r_i ~ N(0, c v_i + t) over c and t; 0 unless it is well above that of t = 0.
double added_noise(const Vector& residuals, const HeldOutVariance& held);

/// σ̂² = mean of r_i²/v_i, or with an added noise the c of largest likelihood beside it, over held-out rows, for each
/// variance estimator: the factor also takes up the slack of one that is only a bound. That of `held` first.
/// `residuals`: one per row, NaN where none. Empty when there is nothing to go by.
std::vector<VarianceFactor> variance_factors(const Problem& problem, const Vector& residuals,
                                             const HeldOutVariance& held, const ComputeOptions& compute,
                                             double added = 0);

}  // namespace gpcv
