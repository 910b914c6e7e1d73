#include "gpcv/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/clock.hpp"
#include "core/version.hpp"
#include "gpcv/checkpoint.hpp"
#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"
#include "posterior/conditioning.hpp"
#include "posterior/conformal.hpp"
#include "posterior/design.hpp"
#include "posterior/trace_row.hpp"
#include "posterior/variance_scale.hpp"
#include "trainers/fold_runs.hpp"
#include "trainers/gauge.hpp"
#include "trainers/gauss_newton.hpp"

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

void keep_trace(Model& model, const TrainResult& training, const TrainOptions& options,
                const std::vector<std::string>& theta) {
  const std::vector<std::string> measures = measure_names(options);
  model.trace_names = {"restart", "fold", "iteration", "objective", "gradient_norm", "seconds"};
  model.trace_names.insert(model.trace_names.end(), theta.begin(), theta.end());
  model.trace_names.insert(model.trace_names.end(), measures.begin(), measures.end());
  model.trace.resize(static_cast<Index>(training.history.size()), static_cast<Index>(model.trace_names.size()));
  Index at = 0;
  for (const IterationRecord& r : training.history) {
    const std::vector<double> row = trace_row(r);
    model.trace.row(at++) = Eigen::Map<const Vector>(row.data(), model.trace.cols());
  }
}

/// The values of an earlier model of the same kernel, in the units of the data as they are scaled now.
void start_from(const Model& warm, const Standardization& scaling, Problem& problem, TrainOptions& options) {
  const auto mine = problem.kernel.parameters();
  const auto theirs = warm.kernel.parameters();
  const auto same = [](const Parameter& a, const Parameter& b) { return a.name == b.name && a.columns == b.columns; };
  if (warm.x.cols() != problem.x.cols() || !std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(), same)) {
    throw InputError(fmt::format("the model to start from has the kernel {} on {} inputs, this training {} on {}",
                                 warm.kernel.to_string(3), warm.x.cols(), problem.kernel.to_string(3),
                                 problem.x.cols()));
  }
  const double target = std::pow(warm.scaling.y_scale / scaling.y_scale, 2);
  std::vector<Parameter> parameters(mine.begin(), mine.end());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Parameter& p = parameters[i];
    if (p.fixed) continue;
    double unit = 1;
    if (p.role == Role::variance) unit = target;
    if (p.role == Role::length_scale || p.role == Role::period) {
      for (Index c : p.columns) {
        unit *= std::pow(warm.scaling.x_scale(c) / scaling.x_scale(c), 1 / static_cast<double>(p.columns.size()));
      }
    }
    p.value = theirs[i].value * unit;
    if (p.bounds) p.value = std::clamp(p.value, p.bounds->lower, p.bounds->upper);
    p.given = true;
  }
  problem.kernel = problem.kernel.with_parameters(std::move(parameters));
  if (!problem.noise.fixed) {
    problem.noise.variance = warm.noise * target;
    problem.noise.given = true;
  }
  options.scan_periods = false;
  if (!options.start) options.start = Start::values;
}

/// Saves each accepted step, and goes on from what was saved when told to.
void keep_checkpoints(const FitOptions& options, const Problem& problem, TrainOptions& train_options) {
  const std::string identity = identity_of(problem, train_options);
  std::vector<std::vector<Index>> validation;
  for (const Fold& fold : problem.folds.folds) validation.push_back(fold.validation);
  train_options.checkpoint = [path = options.checkpoint, identity, validation](const TrainingState& state) {
    save(Checkpoint{identity, validation, state}, path);
  };
  if (!options.resume || !std::filesystem::exists(options.checkpoint)) return;
  Checkpoint saved = load_checkpoint(options.checkpoint);
  require_same_training(saved, identity, options.checkpoint);
  train_options.resume = std::make_shared<TrainingState>(std::move(saved.state));
}

/// What the folds say of the rows they held out, in the target's units.
void keep_held_out(Model& model, const Problem& problem, const RowNoise& noise, const Vector& residuals,
                   const HeldOutVariance& held) {
  model.held_out.mean = model.scaling.mean(noise.in_target_units(problem.y - residuals));
  model.held_out.method = held.method;
  model.held_out.variance = Vector::Constant(problem.y.size(), std::numeric_limits<double>::quiet_NaN());
  if (held.variance.size() == 0) return;
  const Vector variance = noise.in_target_units(noise.in_target_units(held.variance));
  model.held_out.variance = model.scaling.variance(variance) * variance_factor(model, held.method);
}

/// Where nobody has said how large the variances are, the first factor becomes part of them.
void absorb_scale(Problem& problem, Model& model) {
  const double scale = model.variance_factors.front().factor;
  problem.kernel = scaled(problem.kernel, scale);
  problem.noise.variance *= scale;
  for (VarianceFactor& f : model.variance_factors) f.factor /= scale;
}

/// Hold-out cross-validation has one fold; the others have five at random, fewer when there are fewer rows.
FoldOptions default_folds(const TrainOptions& train, Index rows) {
  if (train.trainer == "admm") return {.kind = FoldOptions::Kind::holdout, .fraction = 0.5};
  return {.count = std::min(FoldOptions{}.count, rows)};
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
  Problem problem;
  const RowNoise row_noise = RowNoise::of(data.noise);
  phases.time("prepare", [&] {
    model.columns = data.columns;
    model.scaling =
        options.standardize ? Standardization::fit(data.x, data.y) : Standardization::identity(data.inputs());
    problem = {model.scaling.inputs(data.x), model.scaling.target(data.y), options.kernel.bind(data.inputs()),
               options.noise};
    problem.kernel = with_mean(problem.kernel, options.mean, problem.x, problem.y);
    row_noise.apply(problem);
    if (!row_noise.empty() && !data.columns.noise_is_weight) {
      // Known noise is neither trained nor scaled.
      problem.noise = {std::pow(row_noise.reference / model.scaling.y_scale, 2), true, true};
    }
    if (!problem.x.allFinite() || !problem.y.allFinite()) throw InputError("the data overflow when standardised");
  });
  const Index n = data.rows();
  TrainOptions train_options = options.train;
  if (options.warm) start_from(*options.warm, model.scaling, problem, train_options);
  problem.folds = options.folds.value_or(default_folds(options.train, n)).make(data, options.train.seed);
  const Folds& folds = problem.folds;
  require_trainable(problem, options.train);
  const bool anything_free = !theta_names(problem.kernel, problem.noise).empty();
  const bool by_folds = uses_folds(options.train.trainer);
  MemoryRequest request = memory_request(problem, folds.size(), folds.size(), options.train.compute);
  request.needs_factor = anything_free && !by_folds;  // the likelihood trainer factorises
  request.largest_fold = folds.largest_validation();
  MemoryPlan plan = plan_memory(request);
  if (by_folds) {
    plan.items.push_back(options.train.trainer == "gauss-newton" ? gauss_newton_memory(problem, train_options)
                                                                 : training_memory(problem, train_options));
  }
  // What is settled before training holds to the end: nothing that would lose the result is decided later.
  ComputeOptions compute = options.train.compute;
  compute.solver = plan.solver;
  compute.memory = plan.budget;
  make_operator(problem.kernel.lower(), problem.x.topRows(1), compute);
  out.solver = plan.solver;
  out.planned_memory = plan.total();
  if (!options.checkpoint.empty()) keep_checkpoints(options, problem, train_options);
  if (announce) announce(problem, plan.to_string());

  out.training = phases.time("train", [&] {
    if (!by_folds && plan.solver == Solver::cg) return nothing_to_train(problem);
    train_options.compute.memory = plan.budget;
    return train(problem, train_options, observer);
  });
  const TrainResult& training = out.training;
  if (training.status == Status::numerical_failure && std::isnan(training.objective)) {
    throw NumericalError(training.message);
  }
  // What was reached is still to be validated and kept; a second request ends the process.
  if (training.status == Status::stopped) compute.stop = {};
  problem.kernel = training.kernel;
  problem.noise.variance = training.noise;

  model.message = training.message;
  Vector residuals = training.cv_residuals;
  phases.time("validate", [&] {
    try {
      if (residuals.size() == 0) residuals = cross_validation_residuals(problem, folds, compute);
      model.cv_rmse = root_mean_square(row_noise.in_target_units(residuals)) * model.scaling.y_scale;
    } catch (const NumericalError& error) {
      model.cv_rmse = std::numeric_limits<double>::quiet_NaN();
      model.message += fmt::format("; no cross-validation error: {}", error.what());
    }
  });

  if (residuals.size() > 0) {
    phases.time("calibrate", [&] {
      const HeldOutVariance held = held_out_variance(problem, compute, options.every_held_out_variance);
      if (by_folds && anything_free) model.variance_factors = variance_factors(problem, residuals, held, compute);
      keep_held_out(model, problem, row_noise, residuals, held);
      if (!model.variance_factors.empty() && has_free_scale(problem)) absorb_scale(problem, model);
    });
  }
  // C has grown by the scale since the guess was made.
  const Vector guess = training.weights_guess * (training.noise / problem.noise.variance);
  model.weights = phases.time("condition", [&] { return posterior_weights(problem, compute, guess); });

  model.x = std::move(problem.x);
  model.y = std::move(problem.y);
  model.kernel = problem.kernel;
  model.noise = problem.noise.variance;
  model.noise_reference = row_noise.reference;
  model.mean = options.mean;
  model.trainer = options.train.trainer;
  model.status = training.status;
  model.objective = training.objective;
  model.folds = folds.description;
  model.iterations = training.iterations;
  model.seed = options.train.seed;
  model.version = std::string(version());
  model.settings = {{"kernel", options.kernel.to_string()},
                    {"noise", options.noise.given ? options.noise.to_string() : "trained"},
                    {"standardize", options.standardize ? "yes" : "no"},
                    {"restarts", fmt::format("{}", options.train.restarts)}};
  const std::vector<std::string> names = theta_names(problem.kernel, problem.noise);
  model.optima = training.optima;
  model.standard_errors = training.standard_errors;
  keep_trace(model, training, options.train, names);
  out.folds = std::move(problem.folds);
  out.seconds = phases.phases();
  return out;
}

}  // namespace gpcv
