/// Estimators of the variance of the function at test points.
#pragma once

#include <memory>

#include "evaluation/variance_estimator.hpp"
#include "gpcv/posterior.hpp"
#include "operators/dense_factor.hpp"

namespace gpcv {

/// Estimator k** − k*ᵀ(K + σ²I)⁻¹k* by a factor.
std::unique_ptr<VarianceEstimator> dense_variance(const Model& model, const CovarianceFactor& factor);

/// Estimator k** − k*ᵀ(K + σ²I)⁻¹k* by conjugate gradients, for one batch of test points at a time.
std::unique_ptr<VarianceEstimator> iterative_variance(const Model& model, const ComputeOptions& compute);

}  // namespace gpcv
