#include "gpcv/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/clock.hpp"
#include "core/version.hpp"
#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"
#include "posterior/conditioning.hpp"

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

Matrix trace_of(const std::vector<IterationRecord>& history, std::size_t parameters) {
  Matrix trace(static_cast<Index>(history.size()), static_cast<Index>(5 + parameters));
  for (std::size_t i = 0; i < history.size(); ++i) {
    const IterationRecord& record = history[i];
    auto row = trace.row(static_cast<Index>(i));
    row.head<5>() << record.restart, record.iteration, record.objective, record.gradient_norm, record.seconds;
    for (std::size_t t = 0; t < parameters; ++t) row(static_cast<Index>(5 + t)) = record.theta[t];
  }
  return trace;
}

}  // namespace

FoldOptions FoldOptions::parse(const std::string& text) {
  constexpr std::string_view suffix = ":interleaved";
  std::string_view number = text;
  FoldOptions options;
  if (number.ends_with(suffix)) {
    options.kind = Kind::interleaved;
    number.remove_suffix(suffix.size());
  }
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), options.count);
  if (error != std::errc() || end != number.data() + number.size() || options.count < 2) {
    throw InputError(fmt::format("folds '{}': expected a number of at least 2, as 5 or 5:interleaved", text));
  }
  return options;
}

Folds FoldOptions::make(Index rows, std::uint64_t seed) const {
  switch (kind) {
    case Kind::interleaved:
      return Folds::interleaved(rows, count);
    case Kind::holdout:
      return Folds::holdout(rows, fraction, seed);
    case Kind::random:
      break;
  }
  return Folds::random(rows, count, seed);
}

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
  const FoldOptions default_folds{.count = std::min(FoldOptions{}.count, n)};
  const Folds folds = options.folds.value_or(default_folds).make(n, options.train.seed);
  const bool anything_free = !theta_names(problem.kernel, problem.noise).empty();
  MemoryRequest request = memory_request(problem, folds.size(), folds.size(), options.train.compute);
  request.needs_factor = anything_free;  // the likelihood trainer factorises
  request.largest_fold = largest_validation(folds);
  const MemoryPlan plan = plan_memory(request);
  // What is settled before training holds to the end: nothing that would lose the result is decided later.
  ComputeOptions compute = options.train.compute;
  compute.solver = plan.solver;
  compute.memory = plan.budget;
  make_operator(problem.kernel.lower(), problem.x.topRows(1), compute);
  out.solver = plan.solver;
  out.planned_memory = plan.total();
  if (announce) announce(problem, plan.to_string());

  out.training = phases.time("train", [&] {
    return plan.solver == Solver::cg ? nothing_to_train(problem) : train(problem, options.train, observer);
  });
  const TrainResult& training = out.training;
  if (training.status == Status::numerical_failure) throw NumericalError(training.message);
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
  model.trace_names = {"restart", "iteration", "objective", "gradient_norm", "seconds"};
  model.trace_names.insert(model.trace_names.end(), names.begin(), names.end());
  model.trace = trace_of(training.history, names.size());
  out.seconds = phases.phases();
  return out;
}

}  // namespace gpcv
