/// Ways to the variance of the function at a test point, from exact to affordable.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "gpcv/posterior.hpp"
#include "gpcv/solver.hpp"

namespace gpcv {

/// Test points per batch: K(X, points) and its solution stay near 24 MiB each; with 64 MiB it is 4 % faster at n = 4000
/// and needs 80 MiB more.
constexpr Index batch_rows(Index n) {
  return std::clamp<Index>((Index{24} << 20) / (8 * std::max<Index>(1, n)), 16, 8192);
}

/// Variance of the function given the training data, in standardised units, without the noise of a new observation.
class VarianceEstimator {
 public:
  virtual ~VarianceEstimator() = default;
  /// points: m × d, standardised
  virtual Vector variance(ConstView points) const = 0;
  /// How many points to ask for at a time.
  virtual Index rows_at_once(Index training_rows) const { return batch_rows(training_rows); }
};

/// k** − ‖L⁻¹ k*‖² with LLᵀ = K + σ²I.
std::unique_ptr<VarianceEstimator> dense_variance(const Model& model, const Cholesky& factor, int threads);

/// Conditions each test point on the `neighbours` training points that alone tell most about it, those of largest
/// k(x*, x_i)²/(k_ii + σ²). Never below the exact variance, because it uses less data.
std::unique_ptr<VarianceEstimator> neighbour_variance(const Model& model, Index neighbours,
                                                      const ComputeOptions& compute);

/// k** − k*ᵀ(K + σ²I)⁻¹k* by conjugate gradients, a batch of test points at a time.
std::unique_ptr<VarianceEstimator> iterative_variance(const Model& model, const ComputeOptions& compute);

/// The calibration factor of variances found by `method`: its own, otherwise that of the first method, otherwise 1.
double variance_factor(const Model& model, const std::string& method);

}  // namespace gpcv
