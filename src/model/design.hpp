/// Conversion of a problem with a mean function and noise per row to the zero-mean problem with equal noise that
/// trainers solve.
#pragma once

#include "gpcv/fit.hpp"

namespace gpcv {

/// The kernel with the mean function as additional summands. β ~ N(0, B) with a vague B makes h(x)ᵀβ a Gaussian process
/// with covariance h(x)ᵀB h(x'). Every fold estimates β from its own training rows, and every variance includes the
/// uncertainty of β. B is 10² times the target's variance for each standardised column. `kernel` is bound; x and y are
/// standardised.
Kernel with_mean(const Kernel& kernel, Mean mean, ConstView x, ConstVectorView y);

/// Number of summands that a mean function adds at the end of a kernel.
inline std::size_t mean_summands(Mean mean) { return mean == Mean::zero ? 0 : mean == Mean::constant ? 1 : 2; }
/// Number of parameters that a mean function adds: a variance per summand, and a length per input for the linear one.
inline std::size_t mean_parameters(Mean mean, Index d) {
  return mean_summands(mean) + (mean == Mean::linear ? static_cast<std::size_t>(d) : 0);
}

/// Scaling of rows that have their own noise. With s_i = g/σ_i, g the geometric mean of the σ_i, the rows s_i y_i of
/// covariance s_i s_j k(x_i, x_j) have one noise variance, g² (in units of the target's scale squared) where the σ_i
/// are known. The factor s_i s_j is a linear kernel on an additional input column.
///
/// A robust training divides the noise variance of each row by its weight w_i, so that s_i = √w_i g/σ_i. g stays that
/// of the σ_i: a new row has the noise of a row with weight 1.   docs/math/robust.md
struct RowNoise {
  Vector row_scale;      ///< s_i; empty if all rows have equal noise
  double reference = 0;  ///< g in the target's units
  bool known = false;    ///< whether the σ_i are standard deviations, which fix the scale of variances, or only ratios
  bool learned = false;  ///< whether they are no column of the table
  Vector trust = {};     ///< w_i; empty for 1
  bool given = false;    ///< whether the data have noise of each row, beside the w_i

  static RowNoise of(const Dataset& data);
  bool empty() const { return row_scale.size() == 0; }
  /// Undoes the scaling of a target, a residual or a standard deviation.
  Vector in_target_units(const Vector& scaled) const { return empty() ? scaled : scaled.cwiseQuotient(row_scale); }
  /// The scaling of rows with weight 1.
  RowNoise without_trust() const;
  /// What residuals and variances of the scaled rows, with this noise variance, would be with weight 1: r_i/√w_i and
  /// (v_i − σ²)/w_i + σ².
  Vector trusted_residuals(const Vector& residuals) const;
  Vector trusted_variances(const Vector& variances, double noise) const;
  /// The losses of rows, 0 for those of little weight.
  Vector trusted_losses(Vector losses) const;
  /// Applies the scaling s to the problem's inputs, target and kernel.
  void apply(Problem& problem) const;
};

}  // namespace gpcv
