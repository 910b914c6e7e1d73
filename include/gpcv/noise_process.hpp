/// Noise whose variance depends on the inputs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gpcv/export.hpp"
#include "gpcv/kernel.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Noise of a training. `constant` is one variance for all rows, unless the table states those of the rows; `learned`
/// is a variance that depends on the inputs; `automatic` learns it and keeps it where held-out rows are predicted
/// better by more than a standard error.
enum class NoiseModel { constant, learned, automatic };
/// Name of a noise model, as in options.
GPCV_EXPORT std::string_view name_of(NoiseModel model);

/// Second Gaussian process, the mean of which is the logarithm of the noise variance at the inputs x, relative to the
/// noise variance of the model: log σ²(x)/σ² = constant + Σ_j k(x, points_j) weights_j. Far from the data it returns to
/// the constant.   docs/math/noise.md
struct GPCV_EXPORT NoiseProcess {
  Kernel kernel;        ///< covariance of the logarithm, bound to the inputs of the model
  Matrix points;        ///< m × d inputs on which it is based, standardised
  Vector weights;       ///< m weights
  double constant = 0;  ///< value far from the data

  /// Whether the noise is the same everywhere, as in a model without a process.
  bool is_constant() const { return weights.size() == 0; }
  /// log σ²(x)/σ² at standardised inputs.
  Vector log_factor(ConstView x) const;
  /// Inputs on which the noise depends.
  std::vector<Index> inputs() const;
};

/// Comparison of learned with constant noise, and what was learned.
struct NoiseChoice {
  std::string asked;      ///< what was asked for, learned or auto; empty for constant noise
  bool learned = false;   ///< the noise of the model depends on the inputs
  int rounds = 0;         ///< times that the noise was learned and the model trained again
  double gain = 0;        ///< what learned noise adds to the mean log density of held-out rows
  double gain_error = 0;  ///< standard error of `gain`
};

}  // namespace gpcv
