/// Regression of the logarithm of the noise variance on held-out residuals.
#pragma once

#include <limits>

#include "fit/noise_features.hpp"

namespace gpcv {

/// Held-out residuals r_i ~ (v_i + e^{h(x_i)})^½ ε, where v_i is the variance of the function at the held-out row.
struct NoiseRows {
  Matrix x;          ///< standardised inputs
  Vector residuals;  ///< r_i
  Vector function;   ///< v_i
};

/// Likelihood of the logarithms h_i of the noise variances, with normal or Student's t errors ε.
class NoiseLikelihood {
 public:
  /// counts: 1 for rows that count, 0 for the others; degrees: ν of ε; function_factor: factor of all v_i
  NoiseLikelihood(const NoiseRows& rows, Vector counts, double degrees, double function_factor = 1);

  /// −Σ log density of r_i.
  double negative_log(const Vector& h) const;
  /// Its derivatives with respect to h_i, and the expectations of the second ones.
  void derivatives(const Vector& h, Vector& gradient, Vector& curvature) const;
  /// log r_i² − E log ε², an estimate of the logarithm of the whole variance with the variance Var log ε², which is
  /// that of log χ² for normal errors.
  const Vector& log_squares() const { return log_squares_; }
  const Vector& counts() const { return counts_; }
  /// Logarithm of the mean square of the residuals that count.
  double level() const { return level_; }

 private:
  const NoiseRows& rows_;
  Vector counts_, log_squares_;
  double degrees_, function_factor_, constant_ = 0, level_ = 0;
};

/// Estimate of h = constant + s G a with a ~ N(0, I).
struct NoiseFit {
  double constant = 0;
  Vector a;             ///< empty for constant noise
  double evidence = 0;  ///< Laplace's approximation of the log marginal likelihood
};

/// Mode of the posterior of the constant and of a, and the evidence. Newton's method with expected curvatures starts
/// from a regression of log r² or, where it is given, from an earlier estimate.   g: features, without columns for
/// constant noise
NoiseFit fit_noise(const NoiseLikelihood& likelihood, const Matrix& g, double deviation,
                   const NoiseFit* start = nullptr);

}  // namespace gpcv
