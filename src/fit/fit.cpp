#include "gpcv/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "assessment/calibration.hpp"
#include "assessment/conformal.hpp"
#include "core/clock.hpp"
#include "core/version.hpp"
#include "evaluation/fold_evaluator.hpp"
#include "fit/fit_plan.hpp"
#include "gpcv/checkpoint.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"
#include "model/trace_row.hpp"
#include "prediction/variance.hpp"
#include "problem/scale_invariance.hpp"
#include "solvers/conjugate_gradients.hpp"

namespace gpcv {
namespace {

/// Root mean square of the hold-out residuals, over the rows that were held out.
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

/// Every parameter is held and the matrix is never factorised: there is no likelihood to report.
TrainResult nothing_to_train(const Problem& problem) {
  TrainResult result;
  result.status = Status::converged;
  result.message = "every parameter is held; the likelihood was not evaluated";
  result.kernel = problem.kernel;
  result.noise = problem.noise.variance;
  result.objective = std::numeric_limits<double>::quiet_NaN();
  return result;
}

void keep_trace(Provenance& provenance, const TrainResult& training, const TrainOptions& options,
                const std::vector<std::string>& theta) {
  std::vector<std::string>& names = provenance.trace_names;
  const std::vector<std::string> measures = measure_names(options);
  names = {"restart", "fold", "iteration", "objective", "gradient_norm", "seconds"};
  names.insert(names.end(), theta.begin(), theta.end());
  names.insert(names.end(), measures.begin(), measures.end());
  provenance.trace.resize(static_cast<Index>(training.history.size()), static_cast<Index>(names.size()));
  Index at = 0;
  for (const IterationRecord& r : training.history) {
    const std::vector<double> row = trace_row(r);
    provenance.trace.row(at++) = Eigen::Map<const Vector>(row.data(), provenance.trace.cols());
  }
}

/// Training and settings, as the model's file tells them.
void keep_training(Provenance& provenance, const TrainResult& training, const FitOptions& options,
                   const Problem& problem, const RowNoise& row_noise) {
  provenance.trainer = options.train.trainer;
  provenance.status = training.status;
  provenance.objective = training.objective;
  provenance.folds = problem.folds.description;
  provenance.iterations = training.iterations;
  provenance.seed = options.train.seed;
  provenance.version = std::string(version());
  provenance.settings = {{"kernel", options.kernel.to_string()},
                         {"noise", row_noise.known       ? "known of each row"
                                   : options.noise.given ? options.noise.to_string()
                                                         : "trained"},
                         {"standardize", options.standardize ? "yes" : "no"},
                         {"restarts", fmt::format("{}", options.train.restarts)}};
  provenance.optima = training.optima;
  provenance.standard_errors = training.standard_errors;
  keep_trace(provenance, training, options.train, theta_names(problem.kernel, problem.noise));
}

/// Saves each accepted step, and goes on from what was saved when told to.
void keep_checkpoints(const FitOptions& options, const Problem& problem, TrainOptions& train_options) {
  const std::string identity = identity_of(problem, train_options);
  std::vector<std::vector<Index>> validation;
  for (const Fold& fold : problem.folds.folds) validation.push_back(fold.validation);
  // One rank has the file; what it reads, all go on from.
  const Communicator* communicator = train_options.compute.communicator.get();
  const bool has_file = !shared(communicator) || communicator->rank() == 0;
  train_options.checkpoint = [path = options.checkpoint, identity, validation, has_file](const TrainingState& state) {
    if (has_file) save_checkpoint(identity, validation, state, path);
  };
  if (!agreed(communicator, options.resume && has_file && std::filesystem::exists(options.checkpoint))) return;
  std::string bytes = has_file ? checkpoint_bytes(options.checkpoint) : "";
  if (shared(communicator)) {
    std::size_t size = bytes.size();
    communicator->broadcast_values(0, &size, 1);
    bytes.resize(size);
    communicator->broadcast_values(0, bytes.data(), size);
  }
  Checkpoint saved = checkpoint_of(bytes, options.checkpoint);
  require_same_training(saved, identity, options.checkpoint);
  train_options.resume = std::move(saved.state);
}

/// Scale and noise that make held-out errors as large as they are said to be.
void calibrate(Model& model, const Problem& problem, const RowNoise& noise, const Vector& residuals,
               const HeldOutVariance& held, const ComputeOptions& compute) {
  if (held.variance.size() == 0) return;
  model.added_noise = problem.noise.fixed || !noise.empty() ? 0 : added_noise(residuals, held);
  model.variance_factors = variance_factors(problem, residuals, held, compute, model.added_noise);
  if (model.variance_factors.empty()) model.added_noise = 0;
}

/// What the folds say of the rows they held out, in the target's units.
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

/// Where nobody has said how large the variances are, the first factor becomes part of them.
void absorb_scale(Problem& problem, Model& model) {
  const double scale = model.variance_factors.front().factor;
  problem.kernel = scaled(problem.kernel, scale);
  problem.noise.variance *= scale;
  for (VarianceFactor& f : model.variance_factors) f.factor /= scale;
}

/// The evaluator of a trained problem, and what it tells beside the residuals where training has not.
std::shared_ptr<FoldEvaluator> verified_evaluator(const Problem& problem, const ComputeOptions& compute,
                                                  TrainResult& training) {
  std::shared_ptr<FoldEvaluator> evaluator = make_evaluator(std::make_shared<Problem>(problem), compute);
  verify_or_throw(*evaluator, problem);
  AllRowWeights weights = evaluator->all_row_weights();
  if (weights.residual < training.weights_residual) {
    training.weights = std::move(weights.values);
    training.weights_residual = weights.residual;
  }
  return evaluator;
}

/// Trains on all rows but those set aside, whose scores say how wide intervals must be.
FitResult fit_and_set_aside(const Dataset& data, const FitOptions& options, const Observer& observer,
                            const Announce& announce) {
  if (!(options.calibration < 1)) {
    throw InputError(fmt::format("the fraction set aside must lie between 0 and 1, it is {}", options.calibration));
  }
  FitOptions rest = options;
  rest.calibration = 0;
  const SetAside parts =
      set_aside(data, options.folds.value_or(FoldOptions{}), options.calibration, options.train.seed);
  if (rest.folds && rest.folds->folds) {
    rest.folds->folds = std::make_shared<Folds>(rest.folds->folds->of_rows(parts.rows));
  }
  FitResult out = fit(parts.training, rest, observer, announce);
  const Stopwatch watch;
  ComputeOptions compute = options.train.compute;
  if (out.training.status == Status::stopped) compute.stop = {};
  out.model.conformal = conformal_scores(out.model, parts.aside, compute);
  out.seconds.emplace_back("conformal", watch.seconds());
  return out;
}

}  // namespace

FitResult fit(const Dataset& data, const FitOptions& options, const Observer& observer, const Announce& announce) {
  require_trainable(data);
  if (options.calibration > 0) return fit_and_set_aside(data, options, observer, announce);
  FitResult out;
  PhaseTimes phases;
  Model& model = out.model;
  FitPlan planned = phases.time("prepare", [&] { return plan_fit(data, options); });
  model.columns = data.columns;
  model.scaling = std::move(planned.scaling);
  const RowNoise& row_noise = planned.row_noise;
  Problem problem = std::move(planned.problem);
  TrainOptions train_options = std::move(planned.train);
  const ExecutionPlan& plan = planned.execution;
  const Folds& folds = problem.folds;
  const bool anything_free = !theta_names(problem.kernel, problem.noise).empty();
  const bool by_folds = uses_folds(options.train.trainer);
  ComputeOptions compute = planned.compute;
  out.solver = plan.solver;
  out.planned_memory = plan.total();
  if (!options.checkpoint.empty()) keep_checkpoints(options, problem, train_options);
  if (announce) announce(problem, plan.to_string());

  out.training = phases.time("train", [&] {
    if (!by_folds && plan.solver == Solver::cg) return nothing_to_train(problem);
    return train(problem, train_options, observer);
  });
  const TrainResult& training = out.training;
  if (training.status == Status::numerical_failure && std::isnan(training.objective)) {
    throw NumericalError(training.message);
  }
  if (training.status == Status::stopped && options.abandon && options.abandon()) throw Interrupted("stopped");
  // What was reached is still to be validated and kept; a second request ends the process.
  if (training.status == Status::stopped) compute.stop = {};
  problem.kernel = training.kernel;
  problem.noise.variance = training.noise;

  model.provenance.message = training.message;
  Vector residuals = training.cv_residuals;
  std::shared_ptr<FoldEvaluator> evaluator = std::move(out.training.evaluator);
  if (evaluator) evaluator->stop_when(compute.stop);
  phases.time("validate", [&] {
    try {
      if (!evaluator) evaluator = verified_evaluator(problem, compute, out.training);
      if (residuals.size() == 0) residuals = folds.by_row(evaluator->residuals());
      model.provenance.cv_rmse = root_mean_square(row_noise.in_target_units(residuals)) * model.scaling.y_scale;
    } catch (const NumericalError& error) {
      model.provenance.cv_rmse = std::numeric_limits<double>::quiet_NaN();
      model.provenance.message += fmt::format("; no cross-validation error: {}", error.what());
    }
  });

  if (residuals.size() > 0) {
    phases.time("calibrate", [&] {
      const HeldOutVariance held = held_out_variance(*evaluator, problem, compute, options.every_held_out_variance);
      evaluator.reset();
      if (by_folds && anything_free && !row_noise.known) calibrate(model, problem, row_noise, residuals, held, compute);
      keep_held_out(model, problem, row_noise, residuals, held);
      if (!model.variance_factors.empty() && has_free_scale(problem)) absorb_scale(problem, model);
    });
  }
  // C has grown by the scale since the weights were found.
  model.weights = training.weights * (training.noise / problem.noise.variance);
  phases.time("condition", [&] {
    if (training.weights_residual <= final_residual(problem.y.size())) return;
    model.weights = posterior_weights(problem, compute, model.weights);
  });

  model.x = std::move(problem.x);
  model.y = std::move(problem.y);
  model.kernel = problem.kernel;
  model.noise = problem.noise.variance;
  model.noise_reference = row_noise.reference;
  model.mean = options.mean;
  keep_training(model.provenance, training, options, problem, row_noise);
  out.folds = std::move(problem.folds);
  out.seconds = phases.phases();
  return out;
}

}  // namespace gpcv
