#include "trainers/admm/fold_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "gpcv/communicator.hpp"
#include "gpcv/error.hpp"
#include "problem/data_scales.hpp"
#include "solvers/factorise.hpp"
#include "trainers/admm/holdout_error.hpp"
#include "trainers/start/first_values.hpp"

namespace gpcv {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Divides threads and ranks between the folds and the products inside them, and guards the question to stop.
void place_folds(FoldRun& run, bool by_ranks, std::mutex& stop_mutex) {
  const TrainOptions& options = run.options;
  const auto folds = static_cast<int>(run.problem.folds.folds.size());
  // Side by side when no thread would be idle; otherwise one after the other, with all threads in each product.
  if (folds >= options.compute.threads) {
    run.threads_across = options.compute.threads;
    run.compute.threads = 1;
  }
  const std::shared_ptr<const Communicator> communicator = options.compute.communicator;
  const bool spread =
      by_ranks && shared(communicator.get()) && options.compute.parallel_mode != ParallelMode::rows && folds > 1;
  if (spread) {
    run.fold_groups = FoldGroups(communicator);
    run.compute.communicator = nullptr;
  } else if (shared(communicator.get())) {
    // Ranks share products one after the other: which thread comes first would differ from rank to rank.
    run.threads_across = 1;
  }
  if (spread) run.compute.stop = {};  // ranks agree on it between rounds
  if (options.compute.stop && !spread) {
    run.compute.stop = [&options, &stop_mutex] {
      const std::lock_guard lock(stop_mutex);
      return options.compute.stop();
    };
  }
}

/// The optimum of a start with its verified error; `end` falls back to the start where its own error cannot be
/// verified.
Optimum verified_optimum(const FoldRun& run, int start, const Vector& from, StartEnd& end) {
  const auto mean_error = [&](const Vector& log_theta) {
    return verified_errors(run, log_theta).validation.sum() / static_cast<double>(run.validated);
  };
  double error = mean_error(end.log_theta);
  if (!std::isfinite(error)) {
    end = {Status::numerical_failure, from, ""};
    error = mean_error(from);
  }
  Optimum optimum{start, Status::numerical_failure, error, {}};
  if (optimum.reached()) {
    optimum.status = end.status;
    optimum.log_theta = end.log_theta;
  }
  return optimum;
}

std::string ending(Status status, const TrainOptions& options) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::stopped:
      return "stopped on request; this is the best so far";
    case Status::numerical_failure:
      return "diverged; these are the last good values";
    default:
      if (options.admm.stop == StopRule::none) {
        return fmt::format("ran all {} iterations per start: no stopping rule was set", options.max_iterations);
      }
      return fmt::format("not converged after {} iterations per start", options.max_iterations);
  }
}

/// Puts the optimum with the smallest training error first; returns whether that changes the choice.
bool choose_by_training(const FoldRun& run, std::vector<Optimum>& optima) {
  const auto training_error = [&](const Optimum& o) {
    return o.reached() ? verified_errors(run, o.log_theta).training.sum() : std::numeric_limits<double>::infinity();
  };
  std::size_t best = 0;
  double least = training_error(optima.front());
  for (std::size_t i = 1; i < optima.size(); ++i) {
    const double error = training_error(optima[i]);
    if (error < least) {
      least = error;
      best = i;
    }
  }
  std::rotate(optima.begin(), optima.begin() + static_cast<std::ptrdiff_t>(best),
              optima.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  return best > 0;
}

/// The result of all starts: the best optimum, or a failure with the values that were given.
TrainResult best_of(TrainingLog& training_log, const FoldRun& run, bool stopped) {
  TrainResult result;
  std::string remark = training_log.remark();
  training_log.move_into(result);
  if (result.optima.empty() || !result.optima.front().reached()) {
    result.status = Status::numerical_failure;
    result.message = "no start gave a hold-out error that could be verified; raise the noise or check the data";
    result.objective = nan;
    result.kernel = run.problem.kernel;
    result.noise = run.problem.noise.variance;
    return result;
  }
  if (run.options.admm.choose == ChooseBy::training && result.optima.size() > 1 &&
      choose_by_training(run, result.optima)) {
    remark = "this start has the smallest training error, another the smallest hold-out error";
  }
  const Optimum& best = result.optima.front();
  result.status = stopped ? Status::stopped : best.status;
  result.objective = best.objective;
  result.kernel = kernel_at(run.problem, best.log_theta);
  result.noise = noise_at(run.problem, best.log_theta);
  result.message = ending(result.status, run.options);
  if (!remark.empty()) result.message += "; " + remark;
  for (const std::string& name : at_bounds(run.problem, best.log_theta)) {
    result.message += fmt::format("; {} ended at its bound", name);
  }
  return result;
}

}  // namespace

ExecutionPlan fold_plan(const Problem& problem, const TrainOptions& options, Index most_alive) {
  return plan_fold_training(problem, std::min<Index>(problem.folds.size(), most_alive), options);
}

Random fold_random(const TrainOptions& options, int start, int fold) {
  return Random(options.seed + 1000003 * static_cast<std::uint64_t>(start) + 7919 * static_cast<std::uint64_t>(fold));
}

FoldErrors verified_errors(const FoldRun& run, const Vector& log_theta) {
  FoldErrors errors;
  errors.validation = errors.training = Vector::Constant(static_cast<Index>(run.holdouts.size()), nan);
  const double noise = noise_at(run.problem, log_theta);
  const auto folds = static_cast<int>(run.holdouts.size());
  run.fold_groups.each_fold(folds, run.threads_across, [&](int k) {
    const auto one = with_fold(run.problem, run.problem.folds.folds[static_cast<std::size_t>(k)]);
    const auto work = std::make_shared<Work>();
    const auto iterative = iterative_evaluator(one, {.rank = run.rank, .columns = 1}, run.compute, work);
    errors.validation(k) = iterative->verify(log_theta);
    errors.training(k) = noise * noise * iterative->weights().squaredNorm();
    // Where rounding keeps conjugate gradients from the residual, a factorisation with its jitter does not stop.
    const Holdout& data = run.holdouts[static_cast<std::size_t>(k)].data();
    const Index rows = data.y_t.size() + data.y_v.size();
    const bool small = rows <= exact_variance_rows && factor_fits(rows, data.x_t.cols(), run.compute);
    if (!std::isfinite(errors.validation(k)) && small) {
      const Cholesky factor =
          factorise(kernel_at(run.problem, log_theta).lower(), data.x_t, noise, run.compute.threads);
      errors.validation(k) = dense_evaluator(one, run.compute, work)->verify(log_theta);
      errors.training(k) = noise * noise * factor.solve(data.y_t).squaredNorm();
    }
  });
  for (int k = 0; k < folds; ++k) {
    run.fold_groups.broadcast(k, errors.validation(k));
    run.fold_groups.broadcast(k, errors.training(k));
  }
  return errors;
}

TrainResult train_by_folds(const Problem& given, const TrainOptions& options, const Observer& observer,
                           const OneStart& one_start, bool by_ranks) {
  const Problem problem = started(given, options);
  FoldRun run{problem, options, {}, 0, fold_plan(problem, options, 1).iterative.rank, 1, options.compute, FoldGroups()};
  std::mutex stop_mutex;
  place_folds(run, by_ranks, stop_mutex);
  for (const Fold& fold : problem.folds.folds) {
    run.holdouts.emplace_back(problem, fold, run.compute);
    run.validated += static_cast<Index>(fold.validation.size());
  }

  TrainingLog training_log(options, observer, run.holdouts.size());
  Random random(options.seed);
  const Vector first = log_values(problem);
  bool stopped = false;
  for (int start = 0; start < std::max(1, options.restarts) && !stopped; ++start) {
    const Vector from = start == 0 ? first : random_start(problem, random);
    if (start < training_log.starts_over()) continue;  // in an earlier process
    StartEnd end = one_start(run, start, from, training_log);
    stopped = end.status == Status::stopped || training_log.stopped();
    if (stopped) run.compute.stop = {};  // what was reached is still to be verified
    Optimum optimum = verified_optimum(run, start, from, end);
    training_log.close_start(std::move(optimum), end.remark);
  }
  return best_of(training_log, run, stopped);
}

}  // namespace gpcv
