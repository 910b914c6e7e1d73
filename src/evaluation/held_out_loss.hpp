/// The losses of held-out residuals by which Gauss–Newton trains.
#pragma once

#include "evaluation/fold_evaluator.hpp"

namespace gpcv {

/// Sum Σ_i φ_i(r_i) over the residuals r of the held-out rows. Without deviations φ(r) = r². With the deviations s of
/// the predictions, which stay as they are while θ moves, and z = r/s:
///   crps   φ(r) = s (z (2Φ(z) − 1) + 2 φ_N(z) − 1/√π),   φ' = 2Φ(z) − 1,   φ'' = 2 φ_N(z)/s,
///   log    φ(r) = z², the squared part of twice the negative log density.
/// Rows far outside their deviation pull with constant force in the first, so that it resists outliers; as s → ∞ it
/// becomes a multiple of the squares.
class HeldOutLoss {
 public:
  /// Squares.
  HeldOutLoss() = default;
  /// deviations: of every held-out row, stacked by fold as residuals are; empty for squares
  HeldOutLoss(Criterion criterion, Vector deviations);

  bool is_squares() const { return deviations_.size() == 0; }
  double value(const Vector& residuals) const;
  /// Slopes and weights at these residuals; empty for squares.
  RowLoss second_order(const Vector& residuals) const;

 private:
  Criterion criterion_ = Criterion::squared;
  Vector deviations_;
};

/// Deviations √(a v + b) of the held-out predictions, stacked by fold, with the a and b of largest likelihood of the
/// residuals.   residuals: stacked; variances: one per row, NaN where there is none
Vector calibrated_deviations(const Folds& folds, const Vector& residuals, const Vector& variances);

}  // namespace gpcv
