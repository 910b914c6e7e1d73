/// Cross-validation of what was trained, and the calibration of its variances by the held-out errors.
#pragma once

#include <memory>

#include "evaluation/fold_evaluator.hpp"
#include "fit/fit_plan.hpp"

namespace gpcv {

/// The folds at the trained values.
struct Validation {
  Vector residuals;  ///< of held-out rows, one per row; empty where they could not be computed
  std::shared_ptr<FoldPredictions> evaluator;  ///< accepted at the trained values; null where nothing was evaluated
  bool left_out = false;                       ///< whether it was stopped, so that the residuals are not verified
};

/// Evaluates the folds of the plan's problem, which has the trained values, unless training has done so. The model's
/// provenance gains the error, or a message on why there is none; the training gains weights that are found on the way.
/// Without `anew` the residuals are those of the training, or empty.
Validation validate(const FitPlan& plan, TrainResult& training, Model& model, bool anew = true);

/// Computes the importance of the inputs for the folds. It is empty where a matrix cannot be factorised again.
Importance importance_of(const FitPlan& plan, const Validation& validation, const Columns& columns,
                         const RowTrust& trust);

/// Writes the factors of the variances and the predictions of held-out rows into the model. Where nobody has said how
/// large the variances are, the problem's kernel and noise take up the first factor. False where that was stopped: the
/// model then has the predictions, and its variances have the scale of the target.
bool calibrate(Model& model, FitPlan& plan, Validation validation, bool every_variance);

/// Root mean square error of the held-out predictions of a model whose targets are y.
double held_out_rmse(const Model& model, ConstVectorView y);

/// Says how far the error of the folds that have chosen θ is too small, where it is: of n squared errors whose minimum
/// was sought over p directions, the mean is too small by a part of about 2p/n.
void estimate_optimism(Provenance& provenance, const TrainResult& training, Index validated);

}  // namespace gpcv
