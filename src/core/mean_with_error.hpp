/// Mean of values with its standard error.
#pragma once

#include "gpcv/types.hpp"

namespace gpcv {

/// Mean with its standard error.
struct MeanWithError {
  double mean = 0, error = 0;
};

/// Mean of the finite values and its standard error.
MeanWithError mean_with_error(const Vector& values);

/// Root of the mean square of the finite values; NaN without any.
double root_mean_square(const Vector& values);

}  // namespace gpcv
