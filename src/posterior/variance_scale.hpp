/// How large variances must be for the held-out errors to be as large as they claim.
#pragma once

#include "gpcv/model.hpp"
#include "gpcv/trainer.hpp"

namespace gpcv {

/// σ̂² = mean of r_i²/v_i over held-out rows, v_i the predictive variance of the fold that held row i out, by each
/// variance estimator that predictions would use: the factor also takes up the slack of one that is only a bound.
/// Best estimator first. `residuals`: one per row, NaN where none. Empty when there is nothing to go by.
std::vector<VarianceFactor> variance_factors(const Problem& problem, const Vector& residuals,
                                             const ComputeOptions& compute);

/// The factor for a variance found by `method`: its own, that of the nearest relative, or 1.
double variance_factor(const Model& model, const std::string& method);

}  // namespace gpcv
