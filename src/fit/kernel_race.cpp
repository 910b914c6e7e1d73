#include "fit/kernel_race.hpp"
#include "fit/choice_trainings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <thread>

#include "assessment/losses.hpp"
#include "core/clock.hpp"
#include "evaluation/error_scale.hpp"
#include "evaluation/fold_evaluator.hpp"
#include "fit/fit_plan.hpp"
#include "fit/kernel_candidates.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/error.hpp"
#include "problem/data_scales.hpp"
#include "problem/parameters.hpp"
#include "trainers/common/race.hpp"
#include "trainers/gauss_newton/gauss_newton.hpp"
#include "trainers/start/automatic_start.hpp"
#include "trainers/start/divided_start.hpp"
#include "trainers/start/fold_score.hpp"
#include "trainers/start/local_start.hpp"
#include "trainers/start/period_scan.hpp"
#include "trainers/start/periodogram.hpp"
#include "trainers/start/subset_start.hpp"

namespace gpcv {
namespace {

/// A round among the rows of a part: the number of rows, the most candidates and the steps of each.
struct Round {
  Index rows;
  std::size_t places;
  int steps;
};
constexpr std::size_t everybody = 1000;
constexpr Round rounds[] = {{400, everybody, 6}, {800, 5, 12}, {most_raced_rows, 3, 20}};
constexpr int last_part = 2;
/// The round in which sums of several starts join: on few rows, on which the effects of single inputs are hardly seen,
/// they are no better than one part (energy: on 400 rows an error of 0.53 instead of 0.52, on 691 rows 0.28 of 0.46).
constexpr int round_of_sums = 1;
/// Rows from which the last candidates are compared by their neighbours among all rows: a part of the rows has a lower
/// density, at which another kernel may be best.
constexpr Index local_from = 5000;
/// Rows of the local comparison and neighbours of each.
constexpr Index local_sample = 1000, local_neighbours = 60;
/// Rows up to which every candidate looks for a start of its own; on more rows the lengths that one of them has found
/// serve all.
constexpr Index few_rows = 300;
/// Part of a time limit that the choice may take.
constexpr double share_of_time = 0.3;
/// Periods that seasonal kernels are made of.
constexpr std::size_t most_periods = 2;

/// Loss of each row by the criterion, in units of the target's deviation, with calibrated deviations of normal errors.
Vector losses_of(const Vector& residuals, const Vector& variances, Criterion criterion) {
  const PredictiveScale scale = error_scale(residuals, variances, {.predictive = false});
  const Vector calibrated = variances.unaryExpr([&](double v) { return scale.factor * v + scale.added; });
  return held_out_losses(residuals, calibrated, std::numeric_limits<double>::infinity(), criterion);
}

/// One candidate, as far as it has come.
struct Runner {
  KernelCandidate candidate;
  int start = 0;        ///< number of its start; those from 1 on are random
  Kernel kernel;        ///< unbound
  Vector theta;         ///< log θ; empty before the first round
  Vector of_part = {};  ///< log θ before it was fitted to neighbours among all rows; empty if it was not
  Index parameters = 0;
};

/// Candidates for the standardised data, with the periods of a single input.
std::vector<KernelCandidate> candidates_of(const Dataset& data, const FitOptions& options,
                                           const Standardization& scaling) {
  const Matrix x = scaling.inputs(data.x);
  const std::vector<double> periods =
      x.cols() == 1 ? likely_periods(x.col(0), scaling.target(data.y), most_periods) : std::vector<double>{};
  return kernel_candidates(x, periods, options.candidates);
}

class KernelRace {
 public:
  KernelRace(const Dataset& data, const FitOptions& options)
      : data_(data),
        options_(options),
        trainings_(data, options, {rounds[0].rows, rounds[1].rows, rounds[2].rows}, share_of_time),
        scaling_(scaling_of(data, options)) {
    for (KernelCandidate& candidate : candidates_of(data, options, scaling_)) {
      Runner runner{candidate, 0, Kernel::parse(candidate.text), {}};
      runner.parameters = static_cast<Index>(runner.kernel.bind(data.inputs()).free_parameters().size());
      for (; runner.start < candidate.starts; ++runner.start) runners_.push_back(runner);
    }
    leave_out_the_hopeless();
  }

  ChosenKernel run() {
    const bool local = data_.rows() >= local_from;
    RaceRules rules;
    for (const Round& round : rounds) rules.places.push_back(round.places);
    if (local) rules.places.push_back(rounds[last_part].places);
    const auto is_sum = [](const Runner& runner) { return runner.candidate.starts > 1; };
    const int round_to_join = std::all_of(runners_.begin(), runners_.end(), is_sum) ? 0 : round_of_sums;
    rules.joins = [&](std::size_t i) { return is_sum(runners_[i]) ? round_to_join : 0; };
    rules.concurrently = trainings_.concurrently();
    rules.stop = [this] { return trainings_.stopped(); };
    rules.interrupted = [this] { return interrupted_.load(); };
    find_common_start();
    const std::vector<Raced> ranking =
        race(runners_.size(), rules, [this](std::size_t i, int round) { return advance(runners_[i], round); });
    return chosen_from(ranking);
  }

 private:
  /// A candidate with more than two parameters per row, or a sum of parts with more than one in ten rows, takes part
  /// only if none has fewer.
  void leave_out_the_hopeless() {
    const auto fewer = [](const Runner& a, const Runner& b) { return a.parameters < b.parameters; };
    const Index fewest = std::min_element(runners_.begin(), runners_.end(), fewer)->parameters;
    const Index most = std::max(2 * data_.rows(), fewest + 1);
    std::erase_if(runners_, [&](const Runner& runner) {
      const bool many =
          runner.candidate.starts > 1 && runner.parameters > fewest && 10 * runner.parameters > data_.rows();
      return runner.parameters > most || many;
    });
  }

  /// The problem of a round with a candidate's kernel. Its folds are those of all rows.
  Problem problem_of_round(const Runner& runner, int round) const {
    return problem_of_rows(runner, trainings_.rows(round));
  }
  Problem problem_of_rows(const Runner& runner, const std::vector<Index>& rows) const {
    const Dataset part = data_.rows_at(rows);
    FitOptions options = options_;
    options.kernel = runner.kernel;
    Problem problem = problem_of(part, options, scaling_, RowNoise::of(part));
    problem.folds = trainings_.folds().of_rows(rows);
    return problem;
  }

  /// The lengths on which the inputs matter, found once: they differ little from one kernel to another.
  void find_common_start() {
    if (options_.progress) options_.progress("choosing a kernel: looking for the scales of the inputs");
    Runner simplest = runners_.front();
    for (const Runner& runner : runners_) {
      if (runner.candidate.name == "matern52") simplest = runner;
    }
    Problem problem = with_default_start(problem_of_round(simplest, 0));
    problem = with_scanned_periods(std::move(problem), options_.train.seed, trainings_.threads());
    TrainOptions train = trainings_.training(rounds[0].steps, false);
    train.restarts = 3;
    train.compute.threads = trainings_.threads();
    if (log_values(problem).size() == 0) return;
    const Vector best = automatic_starts(problem, problem.x.rows(), train).front();
    const Kernel kernel = kernel_at(problem, best);
    common_noise_ = noise_at(problem, best);
    for (const Parameter& p : kernel.parameters()) {
      if (p.role == Role::length_scale && p.columns.size() == 1) common_lengths_[p.columns.front()] = p.value;
    }
  }

  /// The values of a problem with the lengths and the noise that were found for all.
  Vector common_values(const Problem& problem) const {
    Vector common = log_values(problem);
    const std::vector<Parameter> free = problem.kernel.free_parameters();
    for (std::size_t i = 0; i < free.size(); ++i) {
      if (free[i].role != Role::length_scale || free[i].given || free[i].columns.size() != 1) continue;
      const auto known = common_lengths_.find(free[i].columns.front());
      if (known != common_lengths_.end()) common(static_cast<Index>(i)) = std::log(known->second);
    }
    if (!problem.noise.fixed && !problem.noise.given) common(common.size() - 1) = std::log(common_noise_);
    return common;
  }

  std::uint64_t seed_of(const Runner& runner) const {
    return options_.train.seed + 1000 * static_cast<std::uint64_t>(runner.start);
  }

  /// The best of a few first values of a candidate by the error of the folds: those at the scale of the data, and those
  /// with the common lengths.
  Vector first_values(const Problem& problem) const {
    const LogParameters own = log_parameters(problem);
    const std::vector<Vector> tried{own.value, common_values(problem).cwiseMax(own.lower).cwiseMin(own.upper)};
    std::optional<HeldOutScore> best;
    for (const Vector& u : tried) {
      std::optional<HeldOutScore> score = held_out_score(problem, u, 1);
      if (score && (!best || score->squares < best->squares)) best = std::move(score);
    }
    return best ? best->at : own.value;
  }

  /// The best start of a candidate's own search.
  Vector own_start(const Problem& problem) {
    if (log_values(problem).size() == 0) return {};
    TrainOptions train = trainings_.training(rounds[0].steps, false);
    train.restarts = 3;
    return automatic_starts(problem, problem.x.rows(), train, false).front();
  }

  Vector first_values_of(const Runner& runner, const Problem& problem) {
    if (runner.start > 0) return divided_start(problem, common_values(problem), seed_of(runner));
    const bool searches = problem.x.rows() <= few_rows && runner.candidate.starts == 1;
    return searches ? own_start(problem) : first_values(problem);
  }

  Vector advance(Runner& runner, int round) {
    announce(runner, round);
    if (trainings_.stop_requested()) {
      interrupted_ = true;
      return {};
    }
    if (round > last_part) return local_losses(runner);
    const Round& work = rounds[round];
    Problem problem = problem_of_round(runner, round);
    if (runner.theta.size() == 0) {
      problem = with_scanned_periods(with_default_start(std::move(problem)), options_.train.seed, 1);
      runner.theta = first_values_of(runner, problem);
    }
    problem.kernel = kernel_at(problem, runner.theta);
    problem.noise.variance = noise_at(problem, runner.theta);
    give_values(problem);
    const TrainResult result = train_gauss_newton(problem, trainings_.training(work.steps, round == last_part), {});
    if (result.status == Status::stopped) interrupted_ = true;
    if (!std::isfinite(result.objective) || result.cv_residuals.size() == 0 || !result.evaluator) return {};
    problem.kernel = result.kernel;
    problem.noise.variance = result.noise;
    runner.theta = log_values(problem);
    if (interrupted_) return {};  // losses of a training that was cut short are not comparable
    try {
      const Vector variances = result.evaluator->variances({.kind = VarianceMethod::Kind::exact}, problem.x.rows());
      return losses_of(result.cv_residuals, variances, options_.train.gauss_newton.criterion);
    } catch (const NumericalError&) {
      return {};
    }
  }

  /// The values of a problem count as given, so that none is derived from the part again.
  static void give_values(Problem& problem) {
    std::vector<Parameter> parameters(problem.kernel.parameters().begin(), problem.kernel.parameters().end());
    for (Parameter& p : parameters) p.given = true;
    problem.kernel = problem.kernel.with_parameters(std::move(parameters));
    problem.noise.given = true;
  }

  /// Losses of rows that are each conditioned on their neighbours among all rows, after θ was fitted to such rows.
  Vector local_losses(Runner& runner) {
    std::vector<Index> all(static_cast<std::size_t>(data_.rows()));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Index>(i);
    const Problem problem = problem_of_rows(runner, all);
    TrainOptions train = trainings_.training(0, false);
    runner.of_part = runner.theta;
    runner.theta = local_start(problem, {runner.theta}, train);
    LocalRows sample;
    try {
      sample = local_rows(problem, runner.theta, local_sample, local_neighbours, options_.train.seed + 200,
                          train.compute.threads, train.compute.stop);
    } catch (const Interrupted&) {
      interrupted_ = true;
      return {};
    }
    const LocalErrors errors = local_errors(problem, runner.theta, sample, train.compute.threads);
    return losses_of(errors.residuals, errors.variances, options_.train.gauss_newton.criterion);
  }

  void announce(const Runner& runner, int round) {
    if (!options_.progress || !trainings_.is_caller()) return;
    const double elapsed = trainings_.seconds();
    options_.progress(fmt::format("choosing a kernel: round {} of {}, {} ({:.0f} s)", round + 1,
                                  last_part + (data_.rows() >= local_from ? 2 : 1), runner.candidate.text, elapsed));
  }

  ChosenKernel chosen_from(const std::vector<Raced>& ranking) const {
    std::vector<Index> parameters;
    for (const Runner& runner : runners_) parameters.push_back(runner.parameters);
    const std::size_t place = simplest_of_the_best(ranking, parameters);
    const Runner& winner = runners_[ranking[place].contender];
    ChosenKernel out{winner.kernel, {}, {}, trainings_.stop_requested()};
    if (std::isfinite(ranking[place].loss)) out.starts.push_back(winner.theta);
    if (!out.starts.empty() && winner.of_part.size() > 0) out.starts.push_back(winner.of_part);
    const bool relative =
        options_.train.gauss_newton.criterion != Criterion::log && std::isfinite(ranking.front().loss);
    const double unit = relative ? ranking.front().loss : 1;
    std::set<std::string> listed;  // a candidate with several starts stands where its best one does
    for (const Raced& raced : ranking) {
      const Runner& runner = runners_[raced.contender];
      if (!listed.insert(runner.candidate.text).second) continue;
      out.ranking.push_back({runner.candidate.name, runner.candidate.text, runner.parameters, raced.round + 1,
                             raced.loss, raced.behind.mean / unit, raced.behind.error / unit, &runner == &winner});
    }
    return out;
  }

  const Dataset& data_;
  const FitOptions& options_;
  ChoiceTrainings trainings_;
  const Standardization scaling_;
  std::atomic<bool> interrupted_ = false;  ///< a candidate was not trained to the end of its round
  std::vector<Runner> runners_;
  std::map<Index, double> common_lengths_;  ///< by column
  double common_noise_ = 0.1;
};

}  // namespace

void require_candidates(const Dataset& data, const FitOptions& options) {
  if (options.choose_kernel && !options.candidates.empty()) candidates_of(data, options, scaling_of(data, options));
}

ChosenKernel choose_kernel(const Dataset& data, const FitOptions& options) { return KernelRace(data, options).run(); }

FitOptions with_kernel(const ChosenKernel& chosen, const FitOptions& options) {
  FitOptions out = options;
  out.kernel = chosen.kernel;
  out.choose_kernel = false;
  // More starts than usual were asked for; otherwise those of the choice are enough.
  const auto known = static_cast<int>(chosen.starts.size());
  out.train.known_starts = chosen.starts;
  if (known > 0 && out.train.restarts <= TrainOptions{}.restarts) out.train.restarts = known;
  return out;
}

}  // namespace gpcv
