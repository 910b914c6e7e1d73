/// The held-out error of start values on a few rows.
#pragma once

#include <optional>

#include "gpcv/trainer.hpp"

namespace gpcv {

/// Held-out residuals at log θ.
struct HeldOutScore {
  Vector at;           ///< log θ
  double squares = 0;  ///< sum of squared residuals
  Vector residuals;    ///< stacked by fold
};

/// Held-out residuals of the problem's folds by factorising, those of all targets fold by fold; empty where the matrix
/// cannot be factorised.
std::optional<HeldOutScore> held_out_score(const Problem& problem, const Vector& log_theta, int threads);

/// Sum of squares of the held-out rows of all targets, which is the error of predicting their mean, 0.
double held_out_power(const Problem& problem);

}  // namespace gpcv
