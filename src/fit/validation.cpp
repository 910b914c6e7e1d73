#include "fit/validation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "assessment/calibration.hpp"
#include "assessment/importance.hpp"
#include "assessment/inputs.hpp"
#include "core/deadline.hpp"
#include "core/mean_with_error.hpp"
#include "evaluation/error_scale.hpp"
#include "fit/robust_fit.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"
#include "problem/parameters.hpp"
#include "problem/scale_invariance.hpp"
#include "trainers/start/local_start.hpp"

namespace gpcv {
namespace {

/// The evaluator of a trained problem; the training takes its weights where they are more accurate.
std::shared_ptr<FoldPredictions> verified_evaluator(const Problem& problem, const ComputeOptions& compute,
                                                    TrainResult& training) {
  std::shared_ptr<FoldEvaluator> evaluator = make_evaluator(std::make_shared<Problem>(problem), compute);
  verify_or_throw(*evaluator, problem);
  training.jitter = std::max(training.jitter, evaluator->jitter());
  const AllRowWeights weights = evaluator->all_row_weights();
  if (weights.residual < training.weights_residual) {
    training.weights = weights.of(0);
    training.weights_residual = weights.residual;
  }
  return evaluator;
}

/// Writes the folds' predictions of the rows they held out, in the units of the transformed target, with the variances
/// of rows that are trusted.
void keep_held_out(Model& model, const Problem& problem, const RowNoise& row_noise, const Vector& residuals,
                   const HeldOutVariance& held) {
  HeldOut& out = model.provenance.held_out;
  out.mean = model.scaling.mean(row_noise.in_target_units(problem.y - residuals));
  out.method = held.method;
  out.variance = Vector::Constant(problem.y.size(), std::numeric_limits<double>::quiet_NaN());
  const RowNoise noise = row_noise.without_trust();
  if (held.variance.size() == 0) return;
  Vector variance = held.variance.unaryExpr([&](double v) { return model.error_scale.variance(v); });
  variance = noise.in_target_units(noise.in_target_units(variance));
  out.variance = model.scaling.variance(variance);
}

}  // namespace

double held_out_rmse(const Model& model, ConstVectorView y) {
  return root_mean_square(model.provenance.trust.trusted(y - held_out_prediction(model).mean));
}

Validation validate(const FitPlan& plan, TrainResult& training, Model& model, bool anew) {
  Validation out{training.cv_residuals, std::move(training.evaluator)};
  Provenance& provenance = model.provenance;
  provenance.message = training.message;
  if (out.evaluator) out.evaluator->stop_when(plan.compute.stop);
  try {
    if (!out.evaluator && anew) {
      out.evaluator = verified_evaluator(plan.problem, plan.compute, training);
      out.residuals = {};  // those of the training are less accurate
    }
    if (out.residuals.size() == 0 && out.evaluator) {
      out.residuals = plan.problem.folds.by_row(out.evaluator->residuals());
    }
  } catch (const NumericalError& error) {
    out.residuals = {};
    provenance.message += fmt::format("; no cross-validation error: {}", error.what());
  } catch (const Interrupted&) {
    out.left_out = true;
  }
  out.left_out = out.left_out || (!out.evaluator && !anew);
  provenance.cv_rmse = out.residuals.size() == 0
                           ? std::numeric_limits<double>::quiet_NaN()
                           : root_mean_square(provenance.trust.trusted(plan.row_noise.in_target_units(out.residuals))) *
                                 plan.scaling.y_scale;
  return out;
}

Importance importance_of(const FitPlan& plan, const Validation& validation, const Columns& columns,
                         const RowTrust& trust) {
  const RowNoise& noise = plan.row_noise;
  const Vector units = Vector::Constant(plan.problem.y.size(), plan.scaling.y_scale);
  try {
    ImportanceMeasurement measurement(without_distrusted(plan.problem.folds, trust),
                                      inputs_of(columns, plan.scaling.x_mean.size()), plan.train.seed);
    return importance_of_folds(plan.problem, *validation.evaluator, noise.in_target_units(units),
                               std::move(measurement), plan.clusters, plan.compute);
  } catch (const NumericalError&) {
    return {};
  }
}

namespace {

/// Rows of the sample, and neighbours of each, that stand for the held-out errors where the folds have none.
constexpr Index sampled_rows = 300, near_rows = 60;

/// Errors of rows that are each predicted from their neighbours among the rows of the other folds, and their variances;
/// NaN for the other rows.
LocalErrors errors_by_neighbours(const Problem& problem, const FitPlan& plan) {
  const Vector at = log_values(problem);
  const int threads = plan.compute.threads;
  const LocalRows sample = local_rows(problem, at, sampled_rows, near_rows, plan.train.seed, threads,
                                      shared(plan.compute.communicator.get()) ? nullptr : plan.compute.stop);
  const LocalErrors found = local_errors(problem, at, sample, threads);
  const Vector none = Vector::Constant(problem.y.size(), std::numeric_limits<double>::quiet_NaN());
  LocalErrors all{none, none};
  all.residuals(sample.rows) = found.residuals;
  all.variances(sample.rows) = found.variances;
  return all;
}

}  // namespace

bool calibrate(Model& model, FitPlan& plan, Validation validation, bool every_variance) {
  Problem& problem = plan.problem;
  Vector residuals = validation.residuals;
  HeldOutVariance held;
  const bool known = residuals.size() > 0;
  bool complete = known;
  try {
    if (plan.train.deadline && plan.train.deadline->free() <= 0) throw Interrupted("the time is over");
    if (complete) held = held_out_variance(validation.evaluator.get(), problem, plan.compute, every_variance);
    if (!known && validation.left_out && uses_folds(plan.train.trainer)) {
      LocalErrors near = errors_by_neighbours(problem, plan);
      residuals = std::move(near.residuals);
      held.variance = std::move(near.variances);
      complete = true;
      model.provenance.message += "; calibrated by neighbours";
    }
  } catch (const Interrupted&) {
    complete = false;
  }
  validation.evaluator.reset();
  const bool trained_by_folds =
      uses_folds(plan.train.trainer) && !theta_names(problem.kernel, problem.noise).empty() && !plan.row_noise.known;
  if (trained_by_folds && has_free_scale(problem)) {
    const double scale = moment_scale(problem, plan.train.seed, plan.compute.threads);
    problem.kernel = scaled(problem.kernel, scale);
    problem.noise.variance *= scale;
    held.variance *= scale;
  }
  held.variance = plan.row_noise.trusted_variances(held.variance, problem.noise.variance);
  if (trained_by_folds && complete) {
    const bool may_add = !problem.noise.fixed && (!plan.row_noise.given || plan.row_noise.learned);
    const Vector errors = model.provenance.trust.trusted(plan.row_noise.trusted_residuals(residuals));
    model.error_scale = error_scale(errors, held.variance, {.added = may_add, .independent = plan.independent_errors});
  }
  if (known) keep_held_out(model, problem, plan.row_noise, residuals, held);
  return complete;
}

void estimate_optimism(Provenance& provenance, const TrainResult& training, Index validated) {
  constexpr double worth_saying = 0.05;
  provenance.optimism = training.effective_parameters / std::max(1.0, static_cast<double>(validated));
  if (provenance.optimism < worth_saying) return;
  provenance.message += fmt::format(
      "; its cross-validation error is optimistic, for new rows it may be {:.0f} % larger", 100 * provenance.optimism);
}

}  // namespace gpcv
