/// Variances of held-out predictions, with which the distribution of errors is calibrated.
#pragma once

#include "evaluation/fold_evaluator.hpp"
#include "gpcv/model.hpp"
#include "gpcv/trainer.hpp"

namespace gpcv {

/// Predictive variances of held-out rows, noise included. Each comes from the fold that held the row out, by the
/// estimator that predictions of this model would use.
struct HeldOutVariance {
  std::string method;
  Vector variance;  ///< one per row, NaN where none was computed; empty if there are none
};
/// Held-out variances at the evaluator's accepted point, which are the problem's own values. They cover a sample of the
/// rows if there are many, unless every row is requested. Without an evaluator they are those at the problem's values.
HeldOutVariance held_out_variance(FoldPredictions* evaluator, const Problem& problem, const ComputeOptions& compute,
                                  bool every_row = false);

}  // namespace gpcv
