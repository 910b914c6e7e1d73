#include "trainers/start/subset_start.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/error.hpp"
#include "planning/cost_model.hpp"
#include "problem/data_scales.hpp"
#include "problem/fold_targets.hpp"
#include "problem/parameters.hpp"
#include "trainers/common/optima_order.hpp"
#include "trainers/likelihood/likelihood.hpp"

namespace gpcv {
namespace {

constexpr Index fewest_rows = 200, fewest_rows_per_parameter = 50, most_rows = 1000;
/// Largest number of evaluations per start. On protein, kin40k and similar data sets, more evaluations improve the best
/// start by less than the difference between two subsets of rows.
constexpr int evaluations_per_start = 35;
constexpr double start_share = 0.2;
/// Relative decrease of the likelihood at which a start has arrived: the folds go on from there.
constexpr double start_tolerance = 1e-4;
/// Number of powers of three by which the screening shortens length scales, and the number of rows that it uses.
constexpr int scales_tried = 5;
constexpr Index screened_rows = 200;
/// Difference in negative log likelihood per row from the best start, above which a start is not followed.
constexpr double hopeless = 0.5;

/// Threads per start: several starts run concurrently with one thread each, and a single start uses all threads.
int threads_of_start(int starts, const TrainOptions& options) {
  return starts > 1 ? 1 : std::max(1, options.compute.threads);
}

}  // namespace

std::vector<Vector> candidate_starts(const Problem& problem, const Problem& part, const TrainOptions& options) {
  const LogParameters own = log_parameters(part);
  const std::vector<Parameter> free = problem.kernel.free_parameters();
  const bool any_shift = std::any_of(free.begin(), free.end(),
                                     [](const Parameter& p) { return p.role == Role::length_scale && !p.given; });
  std::vector<Vector> candidates{own.value};
  Random random(options.seed);
  for (int i = 1; i < std::max(1, options.restarts); ++i) candidates.push_back(random_start(part, random));
  for (int shorter = any_shift ? 0 : scales_tried; shorter < scales_tried; ++shorter) {
    for (const double less_noise : {0.0, 2.3}) {
      Vector u = own.value;
      for (std::size_t i = 0; i < free.size(); ++i) {
        if (free[i].role == Role::length_scale && !free[i].given) u(static_cast<Index>(i)) -= 1.1 * shorter;
      }
      if (!problem.noise.fixed && !problem.noise.given) u(u.size() - 1) -= less_noise;
      candidates.push_back(u.cwiseMax(own.lower).cwiseMin(own.upper));
    }
  }
  return candidates;
}

namespace {

/// The most promising candidates by the likelihood of a few rows.
std::vector<Vector> promising(const Problem& problem, const Problem& part, const TrainOptions& options) {
  std::vector<Vector> candidates = candidate_starts(problem, part, options);
  const auto wanted = static_cast<std::size_t>(std::max(1, options.restarts));
  if (candidates.size() <= wanted) return candidates;
  const Problem few = part.x.rows() <= screened_rows
                          ? part
                          : part_of(part, random_rows(part.x.rows(), screened_rows, options.seed + 1));
  std::vector<std::pair<double, std::size_t>> order(candidates.size());
  parallel_for(static_cast<int>(candidates.size()), options.compute.threads, [&](int c) {
    const auto i = static_cast<std::size_t>(c);
    double value = std::numeric_limits<double>::infinity();
    try {
      value = negative_log_likelihood(kernel_at(few, candidates[i]), noise_at(few, candidates[i]), few.x,
                                      all_targets(few), false, 1)
                  .value;
    } catch (const NumericalError&) {
      // The candidate is sorted to the end.
    }
    order[i] = {std::isfinite(value) ? value : std::numeric_limits<double>::infinity(), i};
  });
  std::sort(order.begin(), order.end());
  std::vector<Vector> best;
  for (std::size_t i = 0; i < wanted; ++i) best.push_back(candidates[order[i].second]);
  return best;
}

}  // namespace

std::vector<Index> random_rows(Index rows, Index count, std::uint64_t seed) {
  std::vector<Index> chosen = Random(seed).permutation(rows);
  chosen.resize(static_cast<std::size_t>(std::min(rows, count)));
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

Problem part_of(const Problem& problem, const std::vector<Index>& rows) {
  Problem part{problem.x(rows, Eigen::all), problem.y(rows), problem.kernel, problem.noise,
               problem.folds.of_rows(rows)};
  if (problem.targets.size() > 0) part.targets = problem.targets(rows, Eigen::all);
  return part;
}

Index subset_rows(const Problem& problem, double training_seconds, const TrainOptions& options) {
  const Index rows = problem.x.rows();
  const auto p = static_cast<Index>(theta_names(problem.kernel, problem.noise).size());
  const Index fewest = std::clamp(fewest_rows_per_parameter * p, fewest_rows, most_rows);
  Index count = std::min(rows, most_rows);
  const int starts = std::max(1, options.restarts), threads = threads_of_start(starts, options);
  const int at_once = std::clamp(options.compute.threads / threads, 1, starts);
  const int rounds = (starts + at_once - 1) / at_once;
  const double evaluations = static_cast<double>(evaluations_per_start) * rounds;
  while (count > fewest && evaluations * likelihood_seconds(count, threads) > start_share * training_seconds) {
    count = std::max(fewest, count * 9 / 10);
  }
  return std::min(rows, count);
}

Problem start_part(const Problem& problem, Index rows, std::uint64_t seed) {
  Problem part = rows >= problem.x.rows() ? problem : part_of(problem, random_rows(problem.x.rows(), rows, seed));
  // Values derived from the data come from all rows; they must not be derived again from the subset.
  std::vector<Parameter> parameters(part.kernel.parameters().begin(), part.kernel.parameters().end());
  for (Parameter& p : parameters) p.given = true;
  part.kernel = part.kernel.with_parameters(std::move(parameters));
  part.noise.given = true;
  return part;
}

std::vector<Vector> subset_starts(const Problem& problem, Index rows, const TrainOptions& options) {
  const Problem part = start_part(problem, rows, options.seed);
  const std::vector<Optimum> optima = likelihood_optima(part, promising(problem, part, options), options);
  std::vector<Vector> starts;
  const auto size = static_cast<double>(part.x.rows());
  for (const Optimum& optimum : optima) {
    if ((optimum.objective - optima.front().objective) / size <= hopeless) starts.push_back(optimum.log_theta);
  }
  if (starts.empty()) starts.push_back(log_values(problem));
  return starts;
}

std::vector<Optimum> likelihood_optima(const Problem& part, const std::vector<Vector>& from,
                                       const TrainOptions& options) {
  TrainOptions likelihood = options;
  likelihood.max_iterations = evaluations_per_start;
  likelihood.tolerance = start_tolerance;
  likelihood.scan_periods = false;
  likelihood.start = Start::values;
  likelihood.restarts = 1;
  likelihood.compute.threads = threads_of_start(static_cast<int>(from.size()), options);
  // The stop callback is called only on the calling thread, and the other threads read the flag. All ranks of a
  // communicator must call it equally often, which only a single thread can guarantee.
  const bool asks =
      options.compute.stop && (!shared(options.compute.communicator.get()) || options.compute.threads == 1);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> stopped = false;
  const Observer going_on = [&](const IterationRecord&) {
    if (asks && std::this_thread::get_id() == caller && options.compute.stop()) stopped = true;
    return !stopped;
  };
  std::vector<std::vector<Optimum>> found(from.size());
  parallel_for(static_cast<int>(from.size()), options.compute.threads / likelihood.compute.threads, [&](int i) {
    const auto start = static_cast<std::size_t>(i);
    if (stopped) return;
    Problem at = part;
    at.kernel = kernel_at(part, from[start]);
    at.noise.variance = noise_at(part, from[start]);
    found[start] = train_likelihood(at, likelihood, going_on).optima;
  });
  std::vector<Optimum> optima;
  for (const std::vector<Optimum>& of_start : found) {
    for (const Optimum& optimum : of_start) {
      if (optimum.reached()) optima.push_back(optimum);
    }
  }
  sort_optima(optima);
  std::vector<Optimum> distinct;
  for (Optimum& optimum : optima) {
    const bool known = std::any_of(distinct.begin(), distinct.end(), [&](const Optimum& other) {
      return (optimum.log_theta - other.log_theta).cwiseAbs().maxCoeff() < same_optimum;
    });
    if (optimum.log_theta.allFinite() && !known) distinct.push_back(std::move(optimum));
  }
  return distinct;
}

}  // namespace gpcv
