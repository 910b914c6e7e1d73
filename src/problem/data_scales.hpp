/// Where training begins and how far it may go, from the data's own scales.
#pragma once

#include "core/random.hpp"
#include "gpcv/trainer.hpp"

namespace gpcv {

/// Scales of the data a kernel will see.
struct DataScales {
  Vector spread;     ///< standard deviation of each input column (1 where constant)
  Vector range;      ///< largest − smallest value of each column (1 where constant)
  Vector spacing;    ///< a small but usual gap between neighbouring distinct values of each column
  double power = 1;  ///< mean of y²

  /// Bounds need the spacing, which sorts every column; starts do not.
  static DataScales of(ConstView x, ConstVectorView y, bool with_spacing = true, int threads = 1);

  double start(const Parameter& parameter) const;
  Bounds bounds(const Parameter& parameter) const;
  double noise_start() const { return 0.1 * power; }
  Bounds noise_bounds() const { return {1e-6 * power, 10 * power}; }
};

/// Values the user did not state become defaults derived from the data.
Problem with_default_start(Problem problem);

/// A random start around the problem's values, inside their bounds.
Vector random_start(const Problem& problem, Random& random);

}  // namespace gpcv
