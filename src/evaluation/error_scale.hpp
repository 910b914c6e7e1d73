/// Estimation of the distribution of held-out errors from their predicted variances.
#pragma once

#include <limits>

#include "gpcv/predictive_scale.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Freedom of the estimate.
struct ErrorScaleOptions {
  bool added = true;  ///< b may be positive
  /// The estimate is for predictions: a prior, log a ~ N(0, 1), decides where the rows do not, as when all have the
  /// same variance, and b is at most the error of the rows with the least variance. Otherwise it is only a scale, with
  /// which ν = 4 resists outliers.
  bool predictive = true;
  /// Number of independent errors. Rows of one block in time are off together: with few blocks the scale is uncertain,
  /// and ν is at most their number, or 3.
  double independent = std::numeric_limits<double>::infinity();
  /// Weight of each row in the likelihood; empty for equal ones. Blocks early in time were predicted from fewer rows
  /// than new data will be.
  Vector weights = {};
};

/// The a, b and ν of largest likelihood of the errors r_i given their variances v_i. Rows without a positive variance
/// are left out; a row more than five deviations off counts less than its square. Student's t must fit clearly better
/// than the normal distribution.   residuals, variances: one value per row, NaN where there is none
PredictiveScale error_scale(const Vector& residuals, const Vector& variances, const ErrorScaleOptions& options);

}  // namespace gpcv
