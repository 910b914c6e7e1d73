#include "gpcv/fit.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "assessment/conformal.hpp"
#include "core/clock.hpp"
#include "fit/fit_plan.hpp"
#include "fit/provenance.hpp"
#include "fit/validation.hpp"
#include "gpcv/checkpoint.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"
#include "solvers/conjugate_gradients.hpp"

namespace gpcv {
namespace {

/// Saves each accepted step, and goes on from what was saved when told to.
void keep_checkpoints(const FitOptions& options, const Problem& problem, TrainOptions& train_options) {
  const std::string identity = identity_of(problem, train_options);
  std::vector<std::vector<Index>> validation;
  for (const Fold& fold : problem.folds.folds) validation.push_back(fold.validation);
  // One rank reads the file, and all ranks continue from what it has read.
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

/// Trains as planned, or takes the values as they are where nothing can be evaluated.
TrainResult train_as_planned(const FitPlan& plan, const Observer& observer) {
  if (!uses_folds(plan.train.trainer) && plan.execution.solver == Solver::cg) return nothing_to_train(plan.problem);
  return train(plan.problem, plan.train, observer);
}

/// Throws NumericalError where training has found nothing, and Interrupted where what it found is not wanted.
void require_result(const TrainResult& training, const FitOptions& options) {
  if (training.status == Status::numerical_failure && std::isnan(training.objective)) {
    throw NumericalError(training.message);
  }
  if (training.status == Status::stopped && options.abandon && options.abandon()) throw Interrupted("stopped");
}

/// The values that follow in the plan are those that training has found.
void take_trained(FitPlan& plan, const TrainResult& training) {
  plan.problem.kernel = training.kernel;
  plan.problem.noise.variance = training.noise;
  // What was reached is still to be validated and kept; a second request ends the process.
  if (training.status == Status::stopped) plan.compute.stop = {};
}

/// C⁻¹y of all rows: the weights that training has found, where they are accurate enough, or a solve from them.
Vector conditioned(const FitPlan& plan, const TrainResult& training) {
  const Problem& problem = plan.problem;
  // C has grown by the scale since the weights were found.
  Vector weights = training.weights * (training.noise / problem.noise.variance);
  if (training.weights_residual <= final_residual(problem.y.size())) return weights;
  return posterior_weights(problem, plan.compute, weights);
}

/// Moves what predictions need from the plan into the model.
void keep_predictor(Model& model, FitPlan& plan, const Dataset& data, Mean mean) {
  model.columns = data.columns;
  model.x = std::move(plan.problem.x);
  model.y = std::move(plan.problem.y);
  model.kernel = plan.problem.kernel;
  model.noise = plan.problem.noise.variance;
  model.noise_reference = plan.row_noise.reference;
  model.mean = mean;
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
  Model& model = out.model;
  PhaseTimes phases;
  FitPlan plan = phases.time("prepare", [&] { return plan_fit(data, options); });
  model.scaling = plan.scaling;
  out.solver = plan.execution.solver;
  out.preset = options.preset;
  out.planned_memory = plan.execution.total();
  if (!options.checkpoint.empty()) keep_checkpoints(options, plan.problem, plan.train);
  if (announce) announce(plan.problem, plan.execution.to_string());

  out.training = phases.time("train", [&] { return train_as_planned(plan, observer); });
  require_result(out.training, options);
  take_trained(plan, out.training);

  Validation validation = phases.time("validate", [&] { return validate(plan, out.training, model); });
  if (validation.residuals.size() > 0) {
    phases.time("calibrate", [&] { calibrate(model, plan, std::move(validation), options.every_held_out_variance); });
  }
  model.weights = phases.time("condition", [&] { return conditioned(plan, out.training); });

  keep_predictor(model, plan, data, options.mean);
  keep_training(model.provenance, out.training, options, plan.problem, plan.row_noise);
  out.folds = std::move(plan.problem.folds);
  out.seconds = phases.phases();
  return out;
}

}  // namespace gpcv
