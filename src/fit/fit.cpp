#include "gpcv/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "assessment/conformal.hpp"
#include "core/blas_memory.hpp"
#include "core/clock.hpp"
#include "fit/checkpoints.hpp"
#include "fit/fit_plan.hpp"
#include "fit/kernel_race.hpp"
#include "fit/learned_noise.hpp"
#include "fit/nested.hpp"
#include "fit/provenance.hpp"
#include "fit/robust_fit.hpp"
#include "fit/row_screening.hpp"
#include "fit/stopping.hpp"
#include "fit/transform_race.hpp"
#include "fit/transformed_data.hpp"
#include "fit/validation.hpp"
#include "gpcv/assessment.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/error.hpp"
#include "gpcv/model_findings.hpp"
#include "gpcv/operator.hpp"
#include "gpcv/posterior.hpp"
#include "prediction/signal.hpp"
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

/// Trains, and says from the first error on how long a stop takes.
TrainResult train_stoppable(const FitPlan& plan, const std::optional<Stopping>& stopping, const FitOptions& options,
                            const Observer& observer) {
  if (!stopping) return train_as_planned(plan, observer);
  return train_as_planned(plan, [&](const IterationRecord& record) {
    options.stoppable(stopping->seconds_of_training());
    return !observer || observer(record);
  });
}

/// The importance of the inputs, where the folds have an evaluator and no stop was asked for.
void measure_importance(const FitPlan& plan, const Validation& validation, const Columns& columns, PhaseTimes& phases,
                        FitResult& out) {
  if (!validation.evaluator || validation.residuals.size() == 0) return;
  const bool stopped = out.training.status == Status::stopped;
  try {
    if (stopped) throw Interrupted("stopped");
    Provenance& provenance = out.model.provenance;
    provenance.importance =
        phases.time("importance", [&] { return importance_of(plan, validation, columns, provenance.trust); });
  } catch (const Interrupted&) {
    out.leave_out("importance of the inputs");
  }
}

/// Validates and calibrates the trained values, as far as a stop permits.
void assess_by_folds(FitPlan& plan, const FitOptions& options, const Columns& columns, PhaseTimes& phases,
                     FitResult& out) {
  const bool stopped = out.training.status == Status::stopped;
  // What was reached is still to be kept; a second request ends the process.
  if (stopped) plan.compute.stop = {};
  Validation validation = phases.time(
      "validate", [&] { return validate(plan, out.training, out.model, !stopped || Stopping(plan).validates()); });
  const bool any = validation.residuals.size() > 0, unverified = validation.left_out;
  if (options.importance) measure_importance(plan, validation, columns, phases, out);
  const bool calibrated = phases.time(
      "calibrate", [&] { return calibrate(out.model, plan, std::move(validation), options.every_held_out_variance); });
  if (unverified) out.leave_out("validation");
  if (!calibrated && (any || unverified)) out.leave_out("calibration");
  plan.compute.stop = {};
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
Vector conditioned(const FitPlan& plan, const TrainResult& training) {
  constexpr double rounding = 1e-9;
  const Problem& problem = plan.problem;
  // C has grown by the scale since the weights were found.
  Vector weights = training.weights * (training.noise / problem.noise.variance);
  const bool solved = training.weights_residual <= final_residual(problem.y.size());
  const bool factorised = solved && training.weights_residual == 0;
  if (solved && (!factorised || relative_residual(problem, plan.compute, weights) <= rounding)) return weights;
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
  rest.transform.least = data.y.minCoeff();  // the rows set aside are transformed, too
  rest.transform.most = data.y.maxCoeff();
  const SetAside parts =
      set_aside(data, options.folds.value_or(FoldOptions{}), options.calibration, options.train.seed);
  if (rest.folds && rest.folds->folds) {
    rest.folds->folds = std::make_shared<Folds>(rest.folds->folds->of_rows(parts.rows));
  }
  FitResult out = fit(parts.training, rest, observer, announce);
  const Stopwatch watch;
  const ComputeOptions& compute = options.train.compute;
  try {
    if (compute.stop && compute.stop()) throw Interrupted("stopped");
    out.model.conformal = conformal_scores(out.model, parts.aside, compute);
    out.seconds.emplace_back("conformal", watch.seconds());
  } catch (const Interrupted&) {
    out.leave_out("conformal intervals");
  }
  return out;
}

/// Leaves to the training what a choice has left of the time, which is enough for it to end.
void spend(double seconds, FitOptions& options) {
  const double limit = options.train.time_limit;
  if (limit > 0) options.train.time_limit = std::max(limit - seconds, 0.1 * limit);
}

/// The options with the chosen kernel.
FitOptions with_kernel(const ChosenKernel& chosen, const FitOptions& options, double seconds) {
  FitOptions out = options;
  out.kernel = chosen.kernel;
  out.choose_kernel = false;
  spend(seconds, out);
  // More starts than usual were asked for; otherwise those of the choice are enough.
  const auto known = static_cast<int>(chosen.starts.size());
  out.train.known_starts = chosen.starts;
  if (known > 0 && out.train.restarts <= TrainOptions{}.restarts) out.train.restarts = known;
  return out;
}

/// Says how far the error of the folds that have chosen θ is too small, where it is: of n squared errors whose minimum
/// was sought over p directions, the mean is too small by a part of about 2p/n.
void estimate_optimism(Provenance& provenance, const TrainResult& training, Index validated) {
  constexpr double worth_saying = 0.05;
  provenance.optimism = training.effective_parameters / std::max(1.0, static_cast<double>(validated));
  if (provenance.optimism < worth_saying) return;
  provenance.message += fmt::format(
      "; its cross-validation error is optimistic, for new rows it may be {:.0f} % larger", 100 * provenance.optimism);
}

/// Trains, validates and calibrates with the kernel of the options.
FitResult fit_kernel(const Dataset& data, const FitOptions& options, const Observer& observer,
                     const Announce& announce) {
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
  std::optional<Stopping> stopping;
  if (options.stoppable) stopping.emplace(plan);

  out.training = phases.time("train", [&] { return train_stoppable(plan, stopping, options, observer); });
  require_result(out.training, options);
  if (options.robust) phases.time("weigh", [&] { weigh_rows(plan, data, options, out); });
  plan.problem.kernel = out.training.kernel;
  plan.problem.noise.variance = out.training.noise;
  if (stopping) options.stoppable(stopping->seconds_afterwards());
  assess_by_folds(plan, options, data.columns, phases, out);
  model.weights = phases.time("condition", [&] { return conditioned(plan, out.training); });
  if (stopping) options.stoppable(stopping->seconds_of_outer_folds());

  keep_predictor(model, plan, data, options.mean);
  keep_training(model.provenance, out.training, options, plan.problem, plan.row_noise);
  if (!out.left_out.empty()) model.provenance.status = Status::stopped;
  model.provenance.inner_rmse = model.provenance.cv_rmse;
  out.folds = std::move(plan.problem.folds);
  out.seconds = phases.phases();
  return out;
}

/// Chooses the kernel where the options ask for it, and trains.
FitResult fit_with_noise(const Dataset& given, const FitOptions& options, const Observer& observer,
                         const Announce& announce) {
  const std::optional<Dataset> first_weights = screened(given, options);
  const Dataset& data = first_weights ? *first_weights : given;
  if (!options.choose_kernel) return fit_kernel(data, options, observer, announce);
  const Stopwatch watch;
  ChosenKernel chosen = choose_kernel(data, options);
  const double choosing = watch.seconds();
  FitResult out = fit_kernel(data, with_kernel(chosen, options, choosing), observer, announce);
  out.seconds.insert(out.seconds.begin(), {"choose", choosing});
  if (chosen.cut_short) out.model.provenance.message += "; the choice of the kernel was cut short";
  out.model.provenance.kernels = std::move(chosen.ranking);
  return out;
}

/// Trains, and learns the noise where the options ask for it.
FitResult fit_target(const Dataset& data, const FitOptions& options, const Observer& observer,
                     const Announce& announce) {
  if (options.noise_model == NoiseModel::constant) return fit_with_noise(data, options, observer, announce);
  bool first = true;
  return fit_learned_noise(data, options, [&](const Dataset& rows, const FitOptions& how) {
    return fit_with_noise(rows, how, observer, std::exchange(first, false) ? announce : Announce{});
  });
}

/// Fits the transformed target; the model then predicts the target.
FitResult fit_transformed(const Dataset& data, const FitOptions& options, ChosenTransform chosen,
                          const Observer& observer, const Announce& announce) {
  FitResult out = fit_target(transformed(data, chosen.transform), options, observer, announce);
  Model& model = out.model;
  Provenance& provenance = model.provenance;
  model.transform = chosen.transform;
  provenance.transforms = std::move(chosen.ranking);
  if (chosen.cut_short) provenance.message += "; the choice of the transform was cut short";
  if (!provenance.held_out.empty()) provenance.cv_rmse = provenance.inner_rmse = held_out_rmse(model, data.y);
  return out;
}

/// Assesses the error by outer folds where the options ask for it; otherwise says how optimistic it is.
void assess_error(FitResult& out, const Dataset& data, const FitOptions& options, double seconds) {
  Provenance& provenance = out.model.provenance;
  const ComputeOptions& compute = options.train.compute;
  if (provenance.held_out.empty()) return;
  const Stopwatch watch;
  std::string why = uses_folds(options.train.trainer) ? "these folds cannot be made again of a part of the rows"
                                                      : "the trainer uses no folds";
  const auto parameters = static_cast<Index>(theta_names(out.model.kernel, options.noise).size());
  const bool tried = assesses_nested(options, data, parameters, seconds);
  if (provenance.status == Status::stopped) {
    if (tried) out.leave_out("outer folds");
    return;
  }
  if (tried) {
    Folds outer;
    why = assess_nested(out.model, data, options, seconds, outer);
    out.seconds.emplace_back("assess", watch.seconds());
    if (why.empty()) {
      out.folds = std::move(outer);  // those that the held-out predictions come from
      return;
    }
    if (compute.stop && compute.stop()) return out.leave_out("outer folds");
  }
  if (tried || options.assess == Assess::nested) provenance.message += fmt::format("; no nested error: {}", why);
  if (uses_folds(options.train.trainer)) estimate_optimism(provenance, out.training, out.folds.validated());
}

}  // namespace

std::vector<Finding> findings_about(const Model& model) {
  std::vector<Finding> findings;
  if (!beats_mean(model)) {
    findings.push_back(
        {Severity::warning, "no_signal", "the predictions of held-out rows are no better than the mean of the target"});
  }
  for (Finding& finding : findings_about_trust(model)) findings.push_back(std::move(finding));
  const HeldOutRows held = held_out_rows(model);
  constexpr double far_below = 0.8;
  constexpr std::size_t few = 20;
  if (held.rows.size() < few) return findings;
  const double covered = evaluate(held.prediction, held.y).coverage95;
  if (covered < far_below) {
    findings.push_back({Severity::warning, "coverage",
                        fmt::format("the 95 % intervals hold only {:.0f} % of the held-out rows: the standard "
                                    "deviations are too small; check the noise if it was given",
                                    100 * covered)});
  }
  return findings;
}

void FitResult::leave_out(const std::string& what) {
  const bool first = left_out.empty();
  if (first && training.status != Status::stopped) model.provenance.message += "; stopped on request";
  model.provenance.message += fmt::format("{}{}", first ? ", without " : ", ", what);
  model.provenance.status = Status::stopped;
  left_out.push_back(what);
}

FitOptions FitOptions::automatic() {
  FitOptions options;
  options.choose_kernel = true;
  options.assess = Assess::automatic;
  return options;
}

void FitOptions::use_kernel(const std::string& text) {
  choose_kernel = text == "auto" && trainer_info(train.trainer).pools_folds;
  kernel = Kernel::parse(text == "auto" ? "se(ard)" : text);
}

void FitOptions::use_noise(const std::string& text) {
  noise_model = text == name_of(NoiseModel::learned)     ? NoiseModel::learned
                : text == name_of(NoiseModel::automatic) ? NoiseModel::automatic
                                                         : NoiseModel::constant;
  if (noise_model == NoiseModel::constant) noise = Noise::parse(text);
}

void FitOptions::keep_kernel_of(const Model& model) {
  choose_kernel = false;
  for (const auto& [name, value] : model.provenance.settings) {
    if (name == "kernel") kernel = Kernel::parse(value);
  }
}

FitResult fit(const Dataset& data, const FitOptions& wanted, const Observer& observer, const Announce& announce) {
  require_trainable(data);
  FitOptions options = wanted;
  options.kernel = options.kernel.resolved(data.columns);
  require_blas_memory(options.train.compute.threads);
  require_new_checkpoint(options);
  require_transformable(data, options);
  require_learnable_noise(data, options);
  if (options.warm && !options.warm->noise_process.is_constant()) options.warm = with_constant_noise(*options.warm);
  if (options.calibration > 0) return fit_and_set_aside(data, options, observer, announce);
  const Stopwatch watch;
  const std::optional<Dataset> weighed = screened_on_every_scale(data, options);
  ChosenTransform transform = choose_transform(weighed ? *weighed : data, options);
  const double choosing = watch.seconds();
  FitOptions chosen = options;
  chosen.transform = {.given = transform.transform};
  if (options.transform.depends_on_data()) spend(choosing, chosen);
  FitResult out = options.transform.is_none() ? fit_target(data, chosen, observer, announce)
                                              : fit_transformed(data, chosen, std::move(transform), observer, announce);
  if (!options.transform.is_none()) {
    out.model.provenance.settings.emplace_back("transform", options.transform.to_string());
    out.seconds.insert(out.seconds.begin(), {"transform", choosing});
  }
  // The model from which training starts has decided the transform; outer folds start without it.
  assess_error(out, data, options.warm ? chosen : options, watch.seconds());
  out.findings = findings_about(out.model);
  return out;
}

}  // namespace gpcv
