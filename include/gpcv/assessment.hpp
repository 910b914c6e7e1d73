/// Assessment of predictions against known targets: errors, coverage and calibration.
#pragma once

#include <vector>

#include "gpcv/export.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv {

/// Coverage of the central intervals of one probability.
struct Coverage {
  double promised = 0;     ///< nominal probability p of the interval
  double covered = 0;      ///< fraction of the targets inside
  double uncertainty = 0;  ///< standard deviation √(p(1 − p)/n) of `covered` for calibrated intervals
};

/// Calibration of intervals: whether they contain the nominal fraction of the targets.
enum class Calibration { unknown, good, too_narrow, too_wide, wrong_shape };

/// Histogram of the standardised residuals z of Assessment in bins of equal width. The outer two bins contain all
/// values beyond their edges.
struct Histogram {
  Vector edges;     ///< edges of the bins, one more than there are bins
  Vector counts;    ///< observed counts
  Vector expected;  ///< expected counts if the predictive distribution is right
};

/// Assessment of predictions: targets, predictions and statistics of the errors.
struct Assessment {
  std::vector<Index> rows;              ///< rows of the table that have a prediction
  Vector y;                             ///< targets of these rows
  Vector mean;                          ///< predicted means of these rows
  Vector deviation;                     ///< standard deviation of the prediction with noise; NaN where not computed
  Vector transformed_z;                 ///< z(i) of a transformed target; empty without a transform
  Index with_deviation = 0;             ///< number of rows with a standard deviation
  Metrics metrics;                      ///< rmse and smse of all rows, other metrics of rows with a standard deviation
  std::vector<Coverage> coverage;       ///< coverage at 50, 80 and 95 %
  std::vector<CalibrationPoint> curve;  ///< calibration curve; empty without standard deviations
  Histogram histogram;                  ///< histogram of z; empty without standard deviations
  Calibration calibration = Calibration::unknown;  ///< verdict on the coverage
  Index outliers = 0;                              ///< number of rows with |z| > 4
  double expected_outliers = 0;                    ///< expected number of outliers
  Index worst = -1;                                ///< position in `rows` of the largest |z|; −1 when there is none
  double worst_z = 0;                              ///< z of that row
  double skewness = 0;                             ///< skewness of z
  double spread_trend = 0;                         ///< rank correlation of |z| with the prediction

  /// Whether there are no predictions.
  bool empty() const { return rows.empty(); }
  /// Standardised residual (y − m)/std of row i, that of T(y) for a transformed target.
  double z(Index i) const { return transformed_z.size() > 0 ? transformed_z(i) : (y(i) - mean(i)) / deviation(i); }
};

/// Assesses predictions. Rows without a finite mean are left out. The variances may be empty, or NaN or 0 for some
/// rows.
GPCV_EXPORT Assessment assess(const Prediction& prediction, ConstVectorView y);
/// Assesses the held-out predictions of a model; the result is empty when the model has none.
GPCV_EXPORT Assessment assess_held_out(const Model& model);

/// Judges coverages, given from the narrowest to the widest interval. A difference from the nominal probability counts
/// when it exceeds 2.5 standard deviations and 2 %.
GPCV_EXPORT Calibration judged(const std::vector<Coverage>& coverage);

/// Ascending selection of at most `most` of the indices 0 to n − 1, evenly spaced.
GPCV_EXPORT std::vector<Index> thinned(Index n, Index most);

}  // namespace gpcv
