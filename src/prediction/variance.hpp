/// Ways to the variance of the function at a test point, from exact to affordable.
#pragma once

#include <memory>
#include <string>

#include "evaluation/variance_estimator.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/solver.hpp"

namespace gpcv {

/// k** − ‖L⁻¹ k*‖² with LLᵀ = K + σ²I.
std::unique_ptr<VarianceEstimator> dense_variance(const Model& model, const Cholesky& factor, int threads);

/// k** − k*ᵀ(K + σ²I)⁻¹k* by conjugate gradients, a batch of test points at a time.
std::unique_ptr<VarianceEstimator> iterative_variance(const Model& model, const ComputeOptions& compute);

/// The calibration factor of variances found by `method`: its own, otherwise that of the first method, otherwise 1.
double variance_factor(const Model& model, const std::string& method);

}  // namespace gpcv
