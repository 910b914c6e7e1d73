/// Test rows that are not complete: with a missing input, or with a level of a category that training has not seen.
#pragma once

#include <vector>

#include "gpcv/posterior.hpp"

namespace gpcv {

/// Each row stands for a number of complete points: one as a rule, none when an input is missing (NaN), and one for
/// each level of the training when none of the indicators of a category is 1.
class RowMixture {
 public:
  /// `noise` is that of each row, or empty.
  RowMixture(const Columns& columns, ConstView x, const Vector& noise);

  /// The complete points of all rows.
  const Matrix& points() const { return points_; }
  /// The noise of each point; empty when the rows have none.
  const Vector& noise() const { return noise_; }

  /// The prediction of each row from those of its points: m = Σ mₗ/k and v = Σ (vₗ + (mₗ − m)²)/k, or NaN without
  /// points.
  Prediction of_rows(const Prediction& of_points) const;
  /// The prediction of each row by a posterior; the noise of the options is that of the points. Mixtures are formed of
  /// predictions of the transformed target.
  Prediction predict(const Posterior& posterior, PredictOptions options) const;

 private:
  Matrix points_;
  Vector noise_;
  std::vector<Index> first_;  ///< the first point of each row, and the number of points
};

}  // namespace gpcv
