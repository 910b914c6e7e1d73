/// Predictions beside the truth: what a reader should know of their errors.
#pragma once

#include <vector>

#include "gpcv/export.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv {

/// Part of the targets inside central intervals of one probability.
struct Coverage {
  double promised = 0;
  double covered = 0;
  double uncertainty = 0;  ///< standard deviation √(p(1 − p)/n) that chance alone gives `covered`
};

/// Verdict on intervals: whether they hold as many targets as they promise.
enum class Calibration { unknown, good, too_narrow, too_wide, wrong_shape };

/// Standardised residuals z = (y − m)/std in bins of equal width; the outer two hold everything beyond.
struct Histogram {
  Vector edges;     ///< one more than bins
  Vector counts;    ///< observed
  Vector expected;  ///< of as many standard normal numbers
};

/// Predictions beside the truth, and what their errors look like.
struct Assessment {
  std::vector<Index> rows;  ///< of the table, those with a prediction
  Vector y, mean;
  Vector deviation;  ///< of the prediction, noise included; NaN where it was not computed
  Index with_deviation = 0;
  Metrics metrics;                      ///< rmse and smse of all rows, the rest of those with a deviation
  std::vector<Coverage> coverage;       ///< at 50, 80 and 95 %
  std::vector<CalibrationPoint> curve;  ///< empty without deviations, like the next
  Histogram histogram;
  Calibration calibration = Calibration::unknown;
  Index outliers = 0;            ///< |z| > 4
  double expected_outliers = 0;  ///< of as many normal numbers
  Index worst = -1;              ///< of `rows`, that with the largest |z|
  double worst_z = 0;
  double skewness = 0;      ///< of z
  double spread_trend = 0;  ///< rank correlation of |z| with the prediction

  bool empty() const { return rows.empty(); }
  /// (y − m)/std of one of the rows.
  double z(Index i) const { return (y(i) - mean(i)) / deviation(i); }
};

/// Rows without a finite mean are left out; `prediction` has a variance per row, NaN or 0 where there is none, or none
/// at all.
GPCV_EXPORT Assessment assess(const Prediction& prediction, ConstVectorView y);
/// What the folds said of the rows they held out; empty when the model does not tell.
GPCV_EXPORT Assessment assess_held_out(const Model& model);

/// Whether coverages differ from what was promised by more than chance (2.5 standard deviations) and by more than
/// matters (2 %), and which way. From narrow to wide.
GPCV_EXPORT Calibration judged(const std::vector<Coverage>& coverage);

/// At most `most` of n indices, evenly spread, in order.
GPCV_EXPORT std::vector<Index> thinned(Index n, Index most);

}  // namespace gpcv
