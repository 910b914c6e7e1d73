/// Features of a smooth Gaussian process of few inputs, of which a few rows determine all others.
#pragma once

#include <vector>

#include "gpcv/noise_process.hpp"

namespace gpcv {

/// Scales of the process, k = s² exp(−½ Σ_c (x_c − x'_c)²/l_c²) over its inputs c, and the factor of the variances of
/// the function beside it.
struct NoiseScales {
  std::vector<Index> inputs;  ///< inputs on which it depends
  Vector log_lengths;         ///< log l_c of each of them
  double log_deviation = 0;   ///< log s
  double log_function = 0;    ///< logarithm of the factor
};

/// Features G of the rows with K ≈ s² G Gᵀ, by a Cholesky factorisation with pivots that ends when every row is
/// explained to a part of 10⁻³ or after so many pivots.
class NoiseFeatures {
 public:
  NoiseFeatures(ConstView x, NoiseScales scales, Index most_pivots = 150);

  const Matrix& values() const { return values_; }
  const NoiseScales& scales() const { return scales_; }
  /// Features of other rows.
  Matrix at(ConstView x) const;
  /// The process whose mean is constant + s G a.
  NoiseProcess process(const Vector& a, double constant) const;

 private:
  Matrix scaled(ConstView x) const;

  NoiseScales scales_;
  Index all_inputs_ = 0;
  Matrix points_;  ///< inputs of the pivots
  Matrix values_;  ///< G
  Matrix factor_;  ///< rows of G at the pivots, a lower triangle
};

}  // namespace gpcv
