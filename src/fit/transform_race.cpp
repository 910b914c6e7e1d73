#include "fit/transform_race.hpp"
#include "fit/choice_trainings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "assessment/losses.hpp"
#include "core/clock.hpp"
#include "evaluation/error_scale.hpp"
#include "evaluation/fold_evaluator.hpp"
#include "fit/fit_plan.hpp"
#include "fit/lambda_search.hpp"
#include "fit/transformed_data.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/error.hpp"
#include "problem/data_scales.hpp"
#include "problem/parameters.hpp"
#include "trainers/common/race.hpp"
#include "trainers/gauss_newton/gauss_newton.hpp"
#include "trainers/start/automatic_start.hpp"
#include "trainers/start/subset_start.hpp"

namespace gpcv {
namespace {

/// A round among the rows of a part: the number of rows, the most transforms and the steps of each training.
struct TransformRound {
  Index rows;
  std::size_t places;
  int steps;
};
constexpr std::size_t every_transform = 100;
constexpr TransformRound rounds_of_transforms[] = {{400, every_transform, 8}, {most_transformed_rows, 3, 12}};
constexpr int last_round = 1;
/// Rows that λ is found on: a factorisation for each λ that is tried.
constexpr Index rows_of_lambda = 600;
/// Steps of a training after λ has changed.
constexpr int steps_after_lambda = 4;
/// Part of a time limit that the choice may take.
constexpr double share_for_transforms = 0.15;
/// A transform must be better by this part of the loss, besides one standard error: where the target varies little
/// compared with its size, all transforms are nearly linear, and differences without any use are certain soon.
constexpr double worth_a_transform = 0.005;

/// One transform, as far as it has come.
struct Trial {
  TransformOptions wanted;
  TargetTransform transform = {};
  Vector theta = {};  ///< log θ; empty before the first round
  /// Trained numbers: none of no transform, and λ in addition.
  Index parameters() const { return (wanted.given.is_none() ? 0 : 1) + (wanted.trained ? 1 : 0); }
};

/// The options with the kernel that serves all trials.
FitOptions with_kernel_of_trials(const Dataset& data, FitOptions options) {
  options.kernel = Kernel::parse(data.inputs() > 1 ? "matern52(ard) + linear(ard)" : "matern52 + linear");
  return options;
}

class TransformRace {
 public:
  TransformRace(const Dataset& data, const FitOptions& options, const std::vector<TransformOptions>& wanted)
      : data_(data),
        options_(with_kernel_of_trials(data, options)),
        trainings_(data, options_, {rounds_of_transforms[0].rows, rounds_of_transforms[1].rows}, share_for_transforms) {
    for (const TransformOptions& w : wanted) {
      trials_.push_back({w, placed(w, data.y)});
      if (w.trained) trials_.back().transform = with_marginal_lambda(trials_.back().transform, data.y);
    }
  }

  ChosenTransform choose() {
    RaceRules rules;
    for (const TransformRound& round : rounds_of_transforms) rules.places.push_back(round.places);
    rules.concurrently = trainings_.concurrently();
    rules.stop = [this] { return trainings_.stopped(); };
    rules.interrupted = [this] { return interrupted_.load(); };
    find_common_start();
    return chosen_from(race(trials_.size(), rules, [this](std::size_t i, int r) { return advance(trials_[i], r); }));
  }

  /// The only transform, whose λ is trained.
  ChosenTransform train_lambda() {
    find_common_start();
    advance(trials_.front(), 0);
    return {trials_.front().transform, {}, trainings_.stop_requested()};
  }

 private:
  /// Rows of the data in the units of a transform.
  struct Part {
    Problem problem;
    Vector y;  ///< target in the user's units
    RowNoise noise;
    Standardization scaling;
  };

  Part part_of(const std::vector<Index>& rows, const TargetTransform& transform) const {
    const Dataset part = data_.rows_at(rows);
    const Dataset on_scale = transformed(part, transform);
    Part out{{}, part.y, RowNoise::of(part), scaling_of(on_scale, options_)};
    // Inputs have the scale of all rows, so that values go from one round to the next.
    const Standardization all = scaling_of(data_, options_);
    out.scaling.x_mean = all.x_mean;
    out.scaling.x_scale = all.x_scale;
    out.problem = problem_of(on_scale, options_, out.scaling, out.noise);
    out.problem.folds = trainings_.folds().of_rows(rows);
    return out;
  }

  /// Start values for all transforms, from the one that makes the target most normal.
  void find_common_start() {
    if (options_.progress) options_.progress("choosing a transform: looking for the scales of the inputs");
    Part part = part_of(trainings_.rows(0), trials_.back().transform);
    const Problem problem = with_default_start(part.problem);
    TrainOptions train = trainings_.training(rounds_of_transforms[0].steps, false);
    train.restarts = 3;
    train.compute.threads = trainings_.threads();
    common_ = log_values(problem).size() > 0 ? automatic_starts(problem, problem.x.rows(), train).front() : Vector();
  }

  /// The part's problem with values that count as given, so that none is derived from the part again.
  static Problem at(const Part& part, const Vector& theta) {
    Problem problem = with_default_start(part.problem);
    if (theta.size() > 0) {
      problem.kernel = kernel_at(problem, theta);
      problem.noise.variance = noise_at(problem, theta);
    }
    std::vector<Parameter> parameters(problem.kernel.parameters().begin(), problem.kernel.parameters().end());
    for (Parameter& p : parameters) p.given = true;
    problem.kernel = problem.kernel.with_parameters(std::move(parameters));
    problem.noise.given = true;
    return problem;
  }

  TrainResult trained(Trial& trial, const Part& part, const TrainOptions& train) {
    Problem problem = at(part, trial.theta);
    TrainResult result = train_gauss_newton(problem, train, {});
    if (result.status == Status::stopped) interrupted_ = true;
    if (!std::isfinite(result.objective)) return result;
    problem.kernel = result.kernel;
    problem.noise.variance = result.noise;
    trial.theta = log_values(problem);
    return result;
  }

  Vector advance(Trial& trial, int round) {
    announce(trial, round);
    if (trainings_.stop_requested()) {
      interrupted_ = true;
      return {};
    }
    if (trial.theta.size() == 0) trial.theta = common_;
    const std::vector<Index>& rows = trainings_.rows(round);
    const bool last = round == last_round;
    TrainOptions train = trainings_.training(rounds_of_transforms[round].steps, last);
    Part part = part_of(rows, trial.transform);
    TrainResult result = trained(trial, part, train);
    if (trial.wanted.trained && !interrupted_ && std::isfinite(result.objective)) {
      improve_lambda(trial, train.compute.threads);
      part = part_of(rows, trial.transform);
      train.max_iterations = steps_after_lambda;
      result = trained(trial, part, train);
    }
    if (!std::isfinite(result.objective) || result.cv_residuals.size() == 0 || !result.evaluator) return {};
    if (interrupted_) return {};  // losses of a training that was cut short are not comparable
    try {
      const Vector variances =
          result.evaluator->variances({.kind = VarianceMethod::Kind::exact}, part.problem.x.rows());
      return part.noise.trusted_losses(losses(part, trial.transform, result.cv_residuals, variances));
    } catch (const NumericalError&) {
      return {};
    }
  }

  void improve_lambda(Trial& trial, int threads) const {
    std::vector<Index> rows = trainings_.most_rows();
    if (static_cast<Index>(rows.size()) > rows_of_lambda) {
      rows = random_rows(data_.rows(), rows_of_lambda, options_.train.seed);
    }
    if (trainings_.folds().of_rows(rows).folds.empty()) return;
    const Part part = part_of(rows, trial.transform);
    trial.transform =
        with_held_out_lambda(trial.transform, part.y, at(part, trial.theta), part.noise.row_scale, threads);
  }

  /// CRPS of the held-out rows in the target's units, with the distribution of errors that they show.
  static Vector losses(const Part& part, const TargetTransform& transform, const Vector& residuals,
                       const Vector& variances) {
    const PredictiveScale scale = error_scale(residuals, variances, {});
    const auto in_units = [&](const Vector& values) { return part.noise.in_target_units(values); };
    const Vector mean = part.scaling.mean(in_units(part.problem.y - residuals));
    const Vector calibrated = variances.unaryExpr([&](double v) { return scale.variance(v); });
    const Vector variance = part.scaling.variance(in_units(in_units(calibrated)));
    if (transform.is_none()) return held_out_losses(part.y - mean, variance, scale.degrees, Criterion::crps);
    return transformed_losses({{}, {}, scale.degrees, transform, mean, variance}, part.y, Criterion::crps);
  }

  void announce(const Trial& trial, int round) {
    if (!options_.progress || !trainings_.is_caller()) return;
    options_.progress(fmt::format("choosing a transform: round {} of {}, {} ({:.0f} s)", round + 1, last_round + 1,
                                  trial.wanted.to_string(), trainings_.seconds()));
  }

  ChosenTransform chosen_from(std::vector<Raced> ranking) const {
    std::vector<Index> parameters;
    for (const Trial& trial : trials_) parameters.push_back(trial.parameters());
    const double best = ranking.front().loss;
    if (!std::isfinite(best)) return {{}, {}, trainings_.stop_requested()};
    std::vector<Raced> judged = ranking;
    for (Raced& raced : judged) raced.behind.error = std::max(raced.behind.error, worth_a_transform * best);
    const std::size_t winner = judged[simplest_of_the_best(judged, parameters)].contender;
    ChosenTransform out{trials_[winner].transform, {}, trainings_.stop_requested()};
    for (const Raced& raced : ranking) {
      const double best_of_round = raced.loss - raced.behind.mean;
      out.ranking.push_back({trials_[raced.contender].transform.to_string(), raced.round + 1, raced.loss,
                             raced.behind.mean / best_of_round, raced.behind.error / best_of_round,
                             raced.contender == winner});
    }
    return out;
  }

  const Dataset& data_;
  FitOptions options_;
  ChoiceTrainings trainings_;
  std::atomic<bool> interrupted_ = false;  ///< a transform was not trained to the end of its round
  std::vector<Trial> trials_;
  Vector common_;
};

/// The transform of the model that training starts from.
TargetTransform transform_of(const Model& warm, const Dataset& data, const FitOptions& options) {
  const bool any = options.transform.automatic;
  const bool same = any || (options.transform.given.kind == warm.transform.kind &&
                            (options.transform.depends_on_data() || options.transform.given == warm.transform));
  if (!same) {
    throw InputError(
        fmt::format("the model to start from is one of {}, this training one of {}",
                    warm.transform.label(data.columns.target), options.transform.given.label(data.columns.target)),
        Remedy::change_transform, {warm.transform.to_string()});
  }
  FitOptions as_given = options;
  as_given.transform = {.given = warm.transform};
  require_transformable(data, as_given);
  return warm.transform;
}

}  // namespace

ChosenTransform choose_transform(const Dataset& data, const FitOptions& options) {
  const TransformOptions& wanted = options.transform;
  if (options.warm) return {transform_of(*options.warm, data, options)};
  if (wanted.automatic) return TransformRace(data, options, transform_candidates(data, wanted)).choose();
  if (wanted.trained) return TransformRace(data, options, {wanted}).train_lambda();
  return {placed(wanted, data.y)};
}

}  // namespace gpcv
