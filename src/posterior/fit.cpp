#include "gpcv/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/clock.hpp"
#include "core/version.hpp"
#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"
#include "posterior/conditioning.hpp"
#include "trainers/fold_runs.hpp"

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

Index largest_validation(const Folds& folds) {
  std::size_t largest = 0;
  for (const Fold& fold : folds.folds) largest = std::max(largest, fold.validation.size());
  return static_cast<Index>(largest);
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
    std::vector<double> row{static_cast<double>(r.restart),
                            static_cast<double>(r.fold),
                            static_cast<double>(r.iteration),
                            r.objective,
                            r.gradient_norm,
                            r.seconds};
    row.insert(row.end(), r.theta.begin(), r.theta.end());
    row.insert(row.end(), r.measures.begin(), r.measures.end());
    model.trace.row(at++) = Eigen::Map<const Vector>(row.data(), model.trace.cols());
  }
}

/// Hold-out cross-validation has one fold; the others have five at random, fewer when there are fewer rows.
FoldOptions default_folds(const TrainOptions& train, Index rows) {
  if (train.trainer == "admm") return {.kind = FoldOptions::Kind::holdout, .fraction = 0.5};
  return {.count = std::min(FoldOptions{}.count, rows)};
}

}  // namespace

FitResult fit(const Dataset& data, const FitOptions& options, const Observer& observer, const Announce& announce) {
  require_trainable(data);
  FitResult out;
  PhaseTimes phases;
  Model& model = out.model;
  Problem problem;
  phases.time("prepare", [&] {
    model.columns = data.columns;
    model.scaling =
        options.standardize ? Standardization::fit(data.x, data.y) : Standardization::identity(data.inputs());
    problem = {model.scaling.inputs(data.x), model.scaling.target(data.y), options.kernel.bind(data.inputs()),
               options.noise};
    if (!problem.x.allFinite() || !problem.y.allFinite()) throw InputError("the data overflow when standardised");
  });
  const Index n = data.rows();
  problem.folds = options.folds.value_or(default_folds(options.train, n)).make(data, options.train.seed);
  const Folds& folds = problem.folds;
  require_trainable(problem, options.train);
  const bool anything_free = !theta_names(problem.kernel, problem.noise).empty();
  const bool by_folds = uses_folds(options.train.trainer);
  MemoryRequest request = memory_request(problem, folds.size(), folds.size(), options.train.compute);
  request.needs_factor = anything_free && !by_folds;  // the likelihood trainer factorises
  request.largest_fold = largest_validation(folds);
  MemoryPlan plan = plan_memory(request);
  if (by_folds) plan.items.push_back(training_memory(problem, options.train));
  // What is settled before training holds to the end: nothing that would lose the result is decided later.
  ComputeOptions compute = options.train.compute;
  compute.solver = plan.solver;
  compute.memory = plan.budget;
  make_operator(problem.kernel.lower(), problem.x.topRows(1), compute);
  out.solver = plan.solver;
  out.planned_memory = plan.total();
  if (announce) announce(problem, plan.to_string());

  out.training = phases.time("train", [&] {
    if (!by_folds && plan.solver == Solver::cg) return nothing_to_train(problem);
    TrainOptions train_options = options.train;
    train_options.compute.memory = plan.budget;
    return train(problem, train_options, observer);
  });
  const TrainResult& training = out.training;
  if (training.status == Status::numerical_failure && std::isnan(training.objective)) {
    throw NumericalError(training.message);
  }
  problem.kernel = training.kernel;
  problem.noise.variance = training.noise;

  model.weights = phases.time("condition", [&] { return posterior_weights(problem, compute); });
  model.message = training.message;
  phases.time("validate", [&] {
    try {
      model.cv_rmse = root_mean_square(cross_validation_residuals(problem, folds, compute)) * model.scaling.y_scale;
    } catch (const NumericalError& error) {
      model.cv_rmse = std::numeric_limits<double>::quiet_NaN();
      model.message += fmt::format("; no cross-validation error: {}", error.what());
    }
  });

  model.x = std::move(problem.x);
  model.y = std::move(problem.y);
  model.kernel = training.kernel;
  model.noise = training.noise;
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
  const std::vector<std::string> names = theta_names(problem.kernel, options.noise);
  keep_trace(model, training, options.train, names);
  out.seconds = phases.phases();
  return out;
}

}  // namespace gpcv
