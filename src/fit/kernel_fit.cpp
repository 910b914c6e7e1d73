#include "fit/kernel_fit.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "evaluation/conditioning.hpp"
#include "fit/checkpoints.hpp"
#include "fit/provenance.hpp"
#include "fit/robust_fit.hpp"
#include "fit/validation.hpp"
#include "gpcv/error.hpp"
#include "gpcv/operator.hpp"
#include "gpcv/posterior.hpp"
#include "solvers/conjugate_gradients.hpp"

namespace gpcv {
namespace {

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

/// Throws NumericalError where training has found nothing, and Interrupted where it was stopped before that or where
/// what it found is not wanted.
void require_result(const TrainResult& training, const FitOptions& options) {
  if (training.status == Status::numerical_failure && std::isnan(training.objective)) {
    throw NumericalError(training.message);
  }
  if (training.status == Status::stopped && options.abandon && options.abandon()) throw Interrupted("stopped");
  // A trained model is wanted, not the start values.
  if (training.status == Status::stopped && std::isnan(training.objective)) {
    throw Interrupted("stopped before the first error was known");
  }
}

/// The importance of the inputs, where the folds have an evaluator and no stop was asked for.
void measure_importance(const FitPlan& plan, const Validation& validation, const Columns& columns, PhaseTimes& phases,
                        FitResult& out) {
  if (!validation.evaluator || validation.residuals.size() == 0) return;
  const bool stopped = has_ended(out.training);
  try {
    if (stopped) throw Interrupted("stopped");
    Provenance& provenance = out.model.provenance;
    provenance.importance =
        phases.time("importance", [&] { return importance_of(plan, validation, columns, provenance.trust); });
  } catch (const Interrupted&) {
    out.leave_out("importance of the inputs", status_of_end(*plan.train.deadline));
  }
}

/// ‖C weights − y‖/‖y‖, computed in double precision.
double relative_residual(const Problem& problem, ComputeOptions compute, const Vector& weights) {
  compute.precision = Precision::double_;
  Matrix product(weights.size(), 1);
  make_operator(problem.kernel.lower(), problem.x, problem.x, compute)->apply(weights, product);
  return (product.col(0) + problem.noise.variance * weights - problem.y).norm() / problem.y.norm();
}

/// C⁻¹y of all rows: the weights that training has found, where they are accurate enough, or a solve from them. Those
/// of a factorised training are products with C⁻¹, whose rounding errors are larger than a solve's by the condition of
/// C.
ReachedWeights conditioned(const FitPlan& plan, const TrainResult& training) {
  constexpr double rounding = 1e-9;
  const Problem& problem = plan.problem;
  // C has grown by the scale since the weights were found.
  Vector weights = training.weights * (training.noise / problem.noise.variance);
  const bool solved = training.weights_residual <= final_residual(problem.y.size());
  const bool factorised = solved && training.weights_residual == 0;
  if (solved && (!factorised || relative_residual(problem, plan.compute, weights) <= rounding)) {
    return {std::move(weights), training.weights_residual};
  }
  return weights_within(problem, plan.compute, weights, *plan.train.deadline, training.work);
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

/// Raises the noise of a training that the time limit or a request has ended, where its model could not be solved in
/// the time: predictions of a smoother model are better than those of weights far from the solution.
void raise_noise(const FitPlan& plan, const Stopping& stopping, TrainResult& training) {
  if (!has_ended(training)) return;
  Deadline& deadline = *plan.train.deadline;
  deadline.finish();
  deadline.reserve(stopping.reserve_of_verification());
  const double factor = stopping.solvable_noise(plan, training, deadline);
  if (factor <= 1) return;
  training.message += fmt::format("; there was no time to solve with its noise of {:.1e}, which was raised to {:.1e}",
                                  training.noise, factor * training.noise);
  training.noise *= factor;
  // What belongs to the smaller noise.
  training.evaluator.reset();
  training.cv_residuals.resize(0);
  training.weights.resize(0);
  training.weights_residual = std::numeric_limits<double>::infinity();
}

}  // namespace

TrainResult train_stoppable(const FitPlan& plan, const Stopping& stopping, const FitOptions& options,
                            const Observer& observer) {
  Deadline& deadline = *plan.train.deadline;
  const Observer stoppable = [&](const IterationRecord& record) {
    if (options.stoppable) options.stoppable(stopping.seconds_of_training());
    if (observer && !observer(record)) deadline.request();
    return !deadline.over();
  };
  TrainResult training = train_as_planned(plan, stoppable);
  say_time_limit(deadline, training);
  require_result(training, options);
  return training;
}

void assess_by_folds(FitPlan& plan, const Stopping& stopping, const FitOptions& options, const Columns& columns,
                     PhaseTimes& phases, FitResult& out) {
  Deadline& deadline = *plan.train.deadline;
  const bool stopped = has_ended(out.training);
  // What was reached is still to be kept; a second request ends the process.
  if (stopped) deadline.finish();
  stopping.before_calibration(deadline);
  Validation validation = phases.time("validate", [&] {
    return validate(plan, out.training, out.model, !stopped || stopping.validates_before(deadline));
  });
  const bool any = validation.residuals.size() > 0, unverified = validation.left_out;
  if (options.importance) measure_importance(plan, validation, columns, phases, out);
  const bool calibrated = phases.time(
      "calibrate", [&] { return calibrate(out.model, plan, std::move(validation), options.every_held_out_variance); });
  const Status reason = status_of_end(deadline);
  if (unverified) out.leave_out("validation", reason);
  if (!calibrated && (any || unverified)) out.leave_out("calibration", reason);
}

void condition_and_keep(FitPlan& plan, const Stopping& stopping, const Dataset& data, const FitOptions& options,
                        PhaseTimes& phases, FitResult& out) {
  Model& model = out.model;
  Deadline& deadline = *plan.train.deadline;
  deadline.finish();
  deadline.reserve(stopping.reserve_of_verification());
  ReachedWeights reached = phases.time("condition", [&] { return conditioned(plan, out.training); });
  deadline.go_on();
  deadline.reserve(stopping.reserve_of_overhead());
  model.weights = std::move(reached.values);
  out.weights_residual = reached.residual;
  keep_predictor(model, plan, data, options.mean);
  keep_training(model.provenance, out.training, options, plan.problem, plan.row_noise);
  if (!out.left_out.empty()) model.provenance.status = status_of_end(deadline);
  if (!reached.complete) {
    out.leave_out("conditioning to the final residual", status_of_end(deadline));
    model.provenance.message += fmt::format(" (the weights of the predictions have a residual of {:.1e}, not {:.0e})",
                                            reached.residual, final_residual(model.y.size()));
  }
  model.provenance.inner_rmse = model.provenance.cv_rmse;
  out.solver = plan.execution.solver;
  out.backend = resolve_backend(plan.compute.backend);
  out.preset = options.preset;
  out.planned_memory = plan.execution.total();
  out.folds = std::move(plan.problem.folds);
}

FitResult fit_kernel(const Dataset& data, const FitOptions& options, const Observer& observer,
                     const Announce& announce) {
  FitResult out;
  PhaseTimes phases;
  FitPlan plan = phases.time("prepare", [&] { return plan_fit(data, options); });
  if (!options.checkpoint.empty()) keep_checkpoints(options, plan.problem, plan.train);
  if (announce) announce(plan.problem, plan.execution.to_string());
  const Stopping stopping(plan, options);
  Deadline& deadline = *plan.train.deadline;
  stopping.before_training(deadline);

  out.model.scaling = plan.scaling;
  out.training = phases.time("train", [&] { return train_stoppable(plan, stopping, options, observer); });
  raise_noise(plan, stopping, out.training);
  if (options.robust) phases.time("weigh", [&] { weigh_rows(plan, data, options, out); });
  plan.problem.kernel = out.training.kernel;
  plan.problem.noise.variance = out.training.noise;
  if (options.stoppable) options.stoppable(stopping.seconds_afterwards());
  assess_by_folds(plan, stopping, options, data.columns, phases, out);
  // A result that nobody wants is not completed.
  if (deadline.requested() && options.abandon && options.abandon()) throw Interrupted("stopped");
  condition_and_keep(plan, stopping, data, options, phases, out);
  if (options.stoppable) options.stoppable(stopping.seconds_of_outer_folds());
  out.seconds = phases.phases();
  return out;
}

}  // namespace gpcv
