/// Bands that the charts of the page and of pictures have in common.
#pragma once

#include "gpcv/assessment.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv {

/// Band between two curves.
struct Band {
  Vector lower, upper;
};

/// Central 95 % intervals of a prediction; empty without variances.
Band interval_of(const Prediction& prediction);

/// Fractions of rows inside the intervals of a calibration curve that chance permits: two standard deviations
/// √(p(1 − p)/n) around each nominal probability p.
Band chance_of(const Assessment& assessment);

}  // namespace gpcv
