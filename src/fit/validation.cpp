#include "fit/validation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "assessment/calibration.hpp"
#include "gpcv/error.hpp"
#include "prediction/variance.hpp"
#include "problem/scale_invariance.hpp"

namespace gpcv {
namespace {

/// The root mean square of the residuals, over the rows that were held out.
double root_mean_square(const Vector& residuals) {
  double sum = 0;
  Index count = 0;
  for (double r : residuals) {
    if (std::isnan(r)) continue;
    sum += r * r;
    ++count;
  }
  return count > 0 ? std::sqrt(sum / static_cast<double>(count)) : std::numeric_limits<double>::quiet_NaN();
}

/// The evaluator of a trained problem; the training takes its weights where they are more accurate.
std::shared_ptr<FoldEvaluator> verified_evaluator(const Problem& problem, const ComputeOptions& compute,
                                                  TrainResult& training) {
  std::shared_ptr<FoldEvaluator> evaluator = make_evaluator(std::make_shared<Problem>(problem), compute);
  verify_or_throw(*evaluator, problem);
  training.jitter = std::max(training.jitter, evaluator->jitter());
  AllRowWeights weights = evaluator->all_row_weights();
  if (weights.residual < training.weights_residual) {
    training.weights = std::move(weights.values);
    training.weights_residual = weights.residual;
  }
  return evaluator;
}

/// Finds the scale and the noise that make held-out errors as large as their variances claim.
void find_variance_factors(Model& model, const Problem& problem, const RowNoise& noise, const Vector& residuals,
                           const HeldOutVariance& held, const ComputeOptions& compute) {
  if (held.variance.size() == 0) return;
  model.added_noise = problem.noise.fixed || !noise.empty() ? 0 : added_noise(residuals, held);
  model.variance_factors = variance_factors(problem, residuals, held, compute, model.added_noise);
  if (model.variance_factors.empty()) model.added_noise = 0;
}

/// Writes the folds' predictions of the rows they held out, in the target's units.
void keep_held_out(Model& model, const Problem& problem, const RowNoise& noise, const Vector& residuals,
                   const HeldOutVariance& held) {
  HeldOut& out = model.provenance.held_out;
  out.mean = model.scaling.mean(noise.in_target_units(problem.y - residuals));
  out.method = held.method;
  out.variance = Vector::Constant(problem.y.size(), std::numeric_limits<double>::quiet_NaN());
  if (held.variance.size() == 0) return;
  const Vector variance = noise.in_target_units(noise.in_target_units(held.variance));
  out.variance = model.scaling.variance((variance * variance_factor(model, held.method)).array() + model.added_noise);
}

/// Makes the first factor part of the variances, which nobody has given.
void absorb_scale(Problem& problem, Model& model) {
  const double scale = model.variance_factors.front().factor;
  problem.kernel = scaled(problem.kernel, scale);
  problem.noise.variance *= scale;
  for (VarianceFactor& f : model.variance_factors) f.factor /= scale;
}

}  // namespace

Validation validate(const FitPlan& plan, TrainResult& training, Model& model) {
  Validation out{training.cv_residuals, std::move(training.evaluator)};
  Provenance& provenance = model.provenance;
  provenance.message = training.message;
  if (out.evaluator) out.evaluator->stop_when(plan.compute.stop);
  try {
    if (!out.evaluator) out.evaluator = verified_evaluator(plan.problem, plan.compute, training);
    if (out.residuals.size() == 0) out.residuals = plan.problem.folds.by_row(out.evaluator->residuals());
    provenance.cv_rmse = root_mean_square(plan.row_noise.in_target_units(out.residuals)) * plan.scaling.y_scale;
  } catch (const NumericalError& error) {
    provenance.cv_rmse = std::numeric_limits<double>::quiet_NaN();
    provenance.message += fmt::format("; no cross-validation error: {}", error.what());
  }
  return out;
}

void calibrate(Model& model, FitPlan& plan, Validation validation, bool every_variance) {
  Problem& problem = plan.problem;
  const Vector& residuals = validation.residuals;
  const HeldOutVariance held = held_out_variance(*validation.evaluator, problem, plan.compute, every_variance);
  validation.evaluator.reset();
  const bool trained_by_folds =
      uses_folds(plan.train.trainer) && !theta_names(problem.kernel, problem.noise).empty() && !plan.row_noise.known;
  if (trained_by_folds) find_variance_factors(model, problem, plan.row_noise, residuals, held, plan.compute);
  keep_held_out(model, problem, plan.row_noise, residuals, held);
  if (!model.variance_factors.empty() && has_free_scale(problem)) absorb_scale(problem, model);
}

}  // namespace gpcv
