/// Start values and bounds of the parameters, derived from the scales of the data.
#pragma once

#include "core/random.hpp"
#include "gpcv/trainer.hpp"

namespace gpcv {

/// Scales of the inputs and of the target that a kernel is trained on.
struct DataScales {
  Vector spread;     ///< standard deviation of each input column (1 where constant)
  Vector range;      ///< largest − smallest value of each column (1 where constant)
  Vector spacing;    ///< 5 % quantile of the gaps between neighbouring distinct values of each column
  double power = 1;  ///< mean of y²

  /// Scales of x and y. Only bounds need the spacing, which requires sorting every column.
  static DataScales of(ConstView x, ConstVectorView y, bool with_spacing = true, int threads = 1);

  double start(const Parameter& parameter) const;
  Bounds bounds(const Parameter& parameter) const;
  /// Bounds of a length scale of a linear kernel, whose part of the target, one deviation of the input away from its
  /// mean, has at most 100 times the target's deviation: beyond that, rounding errors would exceed little noise.
  Bounds amplitude_bounds(const Parameter& parameter) const;
  double noise_start() const { return 0.1 * power; }
  Bounds noise_bounds(double least) const { return {least * power, 10 * power}; }
};

/// The problem with every value that the user did not give set to a default derived from the data.
Problem with_default_start(Problem problem);

/// Random start values around the problem's values, inside their bounds.
Vector random_start(const Problem& problem, Random& random);

}  // namespace gpcv
