/// Predictive variances of held-out rows at fixed θ.
#pragma once

#include "gpcv/posterior.hpp"

namespace gpcv {

/// Predictive variances of held-out rows at log θ, noise included, each from the fold that held the row out: one per
/// row, NaN where none was computed. About `sample` rows have one, or more. Exact variances come from one
/// factorisation, of all folds or of the fold with the most training rows; by neighbours the rows are drawn from all
/// folds alike.
Vector held_out_variance_at(const Problem& problem, const Vector& log_theta, const VarianceMethod& method, Index sample,
                            const ComputeOptions& compute);

}  // namespace gpcv
