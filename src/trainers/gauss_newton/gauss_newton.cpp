#include "trainers/gauss_newton/gauss_newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>

#include "backends/preparation.hpp"
#include "core/clock.hpp"
#include "core/random.hpp"
#include "gpcv/error.hpp"
#include "problem/data_scales.hpp"
#include "problem/scale_invariance.hpp"
#include "solvers/conjugate_gradients.hpp"
#include "trainers/common/optima_order.hpp"
#include "trainers/common/training_state.hpp"
#include "trainers/gauss_newton/multi_start.hpp"
#include "trainers/start/first_values.hpp"
#include "trainers/start/subset_start.hpp"

namespace gpcv {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Steps on a part of the data, and on all of it after a part.
constexpr int steps_on_part = 12;
/// What is left to gain at a part is not worth more: the next part has another optimum.
constexpr double part_tolerance = 1e-3;
/// Of the sensitivities' solves after a part has brought it near.
constexpr double nested_sensitivity_residual = 0.04;
/// Seconds from the start of a run that may have begun in an earlier process.
class Clock {
 public:
  explicit Clock(double before) : before_(before) {}
  double seconds() const { return before_ + watch_.seconds(); }

 private:
  double before_;
  Stopwatch watch_;
};

class GaussNewton {
 public:
  GaussNewton(const Problem& given, const TrainOptions& options, const Observer& observer)
      : options_(options),
        observer_(observer),
        clock_(options.resume ? options.resume->seconds : 0),
        resumed_(options.resume ? &options.resume->of<GaussNewtonState>() : nullptr),
        original_(started(given, options)),
        free_scale_(has_free_scale(original_)) {}

  TrainResult run() {
    result_.free_scale = free_scale_;
    std::vector<DescentState> runs = first_runs();
    first_ = runs.front().theta;
    rows_ = nested_rows(problem_.x.rows(), options_);
    // Narrow folds may have no rows in a part.
    std::erase_if(rows_, [&](Index rows) {
      const Index all = problem_.x.rows();
      return rows < all && problem_.folds.of_rows(random_rows(all, rows, options_.seed)).folds.empty();
    });
    const int first_level = resumed_ != nullptr ? resumed_->level : 0;
    for (level_ = first_level; level_ < static_cast<int>(rows_.size()); ++level_) {
      const std::vector<Optimum> given_up = result_.optima;
      std::vector<DescentState> reached = one_level(runs);
      // A part may be beyond evaluation where all rows are not.
      if (reached.empty() && !stopped_ && level_ + 1 < static_cast<int>(rows_.size())) {
        result_.optima = given_up;
        continue;
      }
      runs = std::move(reached);
      if (runs.empty() || stopped_) break;
    }
    return finished(runs);
  }

 private:
  /// Where the race begins: a checkpoint's runs, or the starts asked for.
  std::vector<DescentState> first_runs() {
    if (resumed_ != nullptr) {
      problem_ = original_;
      result_.optima = options_.resume->optima;
      result_.history = options_.resume->history;
      result_.iterations = static_cast<int>(result_.history.size());
      hold_scale_of(resumed_->held_variance);
      const Index p = log_values(problem_).size();
      for (const DescentState& run : resumed_->runs) {
        require_same_shape(run.theta.size() == p && run.start.size() == p);
      }
      return resumed_->runs;
    }
    std::vector<Vector> starts;
    const Start kind = options_.start.value_or(Start::subset);
    if (theta_names(original_.kernel, original_.noise).empty()) {
      starts.emplace_back();  // nothing to train: its error is all there is to find
    } else if (kind == Start::subset) {
      const std::future<void> ready = prepare_products(options_.compute, original_.x.rows());
      const Index rows = subset_rows(original_, whole_seconds(), options_);
      starts = subset_starts(original_, rows, options_);
    } else {
      Random random(options_.seed);
      starts.push_back(log_values(original_));
      while (static_cast<int>(starts.size()) < options_.restarts) starts.push_back(random_start(original_, random));
    }
    // One variance is held where the best start has it; the others are brought to it by their common factor.
    std::vector<DescentState> runs;
    for (std::size_t i = 0; i < starts.size(); ++i) {
      Problem at = original_;
      at.kernel = kernel_at(original_, starts[i]);
      at.noise.variance = noise_at(original_, starts[i]);
      if (free_scale_) {
        if (i == 0) held_variance_ = first_variance(at.kernel);
        const double factor = held_variance_ / first_variance(at.kernel);
        at.kernel = scaled(at.kernel, factor);
        at.noise.variance *= factor;
        at = with_scale_held(std::move(at));
      }
      if (i == 0) problem_ = at;
      DescentState run;
      run.restart = static_cast<int>(i);
      run.start = run.theta = log_values(at);
      run.objective = nan;
      runs.push_back(std::move(run));
    }
    return runs;
  }

  static double first_variance(const Kernel& kernel) {
    for (const Parameter& p : kernel.parameters()) {
      if (p.role == Role::variance && !p.fixed) return p.value;
    }
    return 1;
  }

  void hold_scale_of(double variance) {
    held_variance_ = variance;
    if (!free_scale_) return;
    std::vector<Parameter> parameters(original_.kernel.parameters().begin(), original_.kernel.parameters().end());
    for (Parameter& p : parameters) {
      if (p.role != Role::variance || p.fixed) continue;
      p.value = variance;
      break;
    }
    problem_ = original_;
    problem_.kernel = original_.kernel.with_parameters(std::move(parameters));
    problem_ = with_scale_held(std::move(problem_));
  }

  double whole_seconds() const {
    double seconds = 0;
    for (const Index rows : nested_rows(original_.x.rows(), options_)) {
      const bool all = rows == original_.x.rows();
      seconds +=
          plan_training(all ? original_ : part_of(original_, random_rows(original_.x.rows(), rows, options_.seed)),
                        options_)
              .seconds;
    }
    return seconds;
  }

  /// Follows the runs on one part of the data and returns the one that won, as far as it came.
  std::vector<DescentState> one_level(std::vector<DescentState> runs) {
    multi_start_.reset();  // and what it holds of the smaller part
    const Index rows = rows_[static_cast<std::size_t>(level_)];
    const bool all = rows == problem_.x.rows();
    part_ = std::make_unique<Problem>(all ? problem_
                                          : part_of(problem_, random_rows(problem_.x.rows(), rows, options_.seed)));
    part_->kernel = kernel_at(problem_, runs.front().theta);
    part_->noise.variance = noise_at(problem_, runs.front().theta);
    level_options_ = options_;
    if (level_ > 0) {
      level_options_.gauss_newton.sensitivity_residual =
          std::max(nested_sensitivity_residual, options_.gauss_newton.sensitivity_residual);
    }
    if (!all) {
      level_options_.gauss_newton.tolerance = std::max(part_tolerance, options_.gauss_newton.tolerance);
      level_options_.max_iterations = std::min(options_.max_iterations, steps_on_part);
    } else if (level_ > 0) {
      level_options_.gauss_newton.tolerance = options_.gauss_newton.nested_tolerance;
    }
    plan_ = plan_training(*part_, level_options_);
    plan_.iterative.pass = std::pow(static_cast<double>(rows) / static_cast<double>(problem_.x.rows()), 2);
    if (all) result_.plan = plan_.reason;

    const bool resumed = resumed_ != nullptr && level_ == resumed_->level;
    if (!resumed) {
      for (DescentState& run : runs) {
        run.iteration = 0;
        run.prior_weight = run.accuracy = 0;
        run.gained = level_ == 0 ? 1 : 0;  // a part's optimum is near: coarse sensitivities would be solved for twice
        run.status = Status::not_run;
      }
    }
    multi_start_ = std::make_unique<MultiStart>(
        *part_, plan_, level_options_,
        MultiStart::Events{[this](const Descent& descent) { return note(descent); },
                           [this](const Descent& descent) { give_up(descent); }, [this] { checkpoint(); }});
    stopped_ =
        !multi_start_->run(std::move(runs), resumed ? std::optional(resumed_->rounds) : std::nullopt, result_.work);
    if (multi_start_->winner() == nullptr) return {};
    DescentState won = multi_start_->winner()->state();
    won.weights.resize(0, 0);
    won.sensitivities.resize(0, 0);
    return {std::move(won)};
  }

  void give_up(const Descent& descent) {
    Status status = descent.status();
    if (status == Status::not_run) status = Status::stopped;
    Optimum optimum{descent.state().restart, status, descent.error(), {}};
    if (optimum.reached()) optimum.log_theta = log_theta(descent.state().theta);
    result_.optima.push_back(std::move(optimum));
  }

  /// log θ of all that was free when the problem was given, the held scale included.
  Vector log_theta(const Vector& u) const {
    Problem at{{}, {}, restored(u), original_.noise, {}};
    at.noise.variance = noise_at(problem_, u);
    return log_values(at);
  }

  /// The trained values, as free as they were given.
  Kernel restored(const Vector& u) const { return with_values_of(original_.kernel, kernel_at(problem_, u)); }

  bool note(const Descent& descent) {
    IterationRecord record;
    record.restart = descent.state().restart;
    record.iteration = descent.state().iteration;
    record.objective = descent.error();
    record.gradient_norm = descent.report().gradient_norm;
    record.seconds = clock_.seconds();
    const Kernel kernel = restored(descent.state().theta);
    const Vector theta = kernel.theta();
    record.theta.assign(theta.begin(), theta.end());
    if (!original_.noise.fixed) record.theta.push_back(noise_at(problem_, descent.state().theta));
    record.measures = {static_cast<double>(part_->x.rows()),
                       descent.report().step,
                       static_cast<double>(descent.report().cg_iterations),
                       descent.report().residual,
                       result_.work.column_passes,
                       seconds_left()};
    ++result_.iterations;
    result_.history.push_back(record);
    return !observer_ || observer_(record);
  }

  /// From the cost of the steps so far on this part, scaled to those expected here and on the larger parts.
  double seconds_left() {
    const double now = clock_.seconds();
    if (level_ != timed_level_) {
      timed_level_ = level_;
      level_began_ = now;
      steps_begun_ = result_.iterations;
    }
    constexpr double usual_steps = 6;
    const double steps = result_.iterations - steps_begun_;
    const double per_step = steps > 0 ? (now - level_began_) / steps : plan_.seconds / usual_steps;
    double left = std::max(1.0, usual_steps - steps) * per_step;
    const auto here = static_cast<double>(rows_[static_cast<std::size_t>(level_)]);
    for (std::size_t l = static_cast<std::size_t>(level_) + 1; l < rows_.size(); ++l) {
      left += 0.5 * usual_steps * per_step * std::pow(static_cast<double>(rows_[l]) / here, 2);
    }
    return left;
  }

  void checkpoint() {
    if (!options_.checkpoint) return;
    GaussNewtonState own{level_, multi_start_->rounds(), held_variance_, {}};
    for (const auto& descent : multi_start_->alive()) {
      own.runs.push_back(descent->state());
      descent->keep_progress(own.runs.back());
    }
    options_.checkpoint({std::move(own), result_.optima, "", result_.history, clock_.seconds()});
  }

  TrainResult finished(const std::vector<DescentState>& runs) {
    result_.seconds = clock_.seconds();
    result_.kernel = original_.kernel;
    result_.noise = original_.noise.variance;
    result_.objective = nan;
    if (runs.empty()) {
      result_.status = stopped_ ? Status::stopped : Status::numerical_failure;
      if (stopped_) {
        result_.kernel = restored(first_);
        result_.noise = noise_at(problem_, first_);
      }
      result_.message = stopped_ ? "stopped before the first error was known; these are start values, not trained"
                                 : "no start gave a cross-validation error; raise the noise or check the data";
      return std::move(result_);
    }
    const Vector& u = runs.front().theta;
    result_.kernel = restored(u);
    result_.noise = noise_at(problem_, u);
    result_.status = stopped_ ? Status::stopped : multi_start_->winner()->status();
    result_.objective = runs.front().objective;
    // Where all rows were reached, the error is verified: what is reported was solved for to the end.
    Descent& winner = *multi_start_->winner();
    if (part_->x.rows() == problem_.x.rows()) {
      bool verified = false;
      try {
        const double error = winner.verify();
        verified = std::isfinite(error);
        if (verified) {
          result_.objective = error;
          result_.cv_residuals = part_->folds.by_row(winner.residuals());
          WholeWeights whole = winner.whole_weights();
          result_.weights = std::move(whole.values);
          result_.weights_residual = whole.residual;
        }
      } catch (const Interrupted&) {
        result_.status = Status::stopped;
      } catch (const NumericalError&) {
        // No preconditioner, no verification.
      }
      if (!verified && result_.status == Status::converged) {
        result_.status = Status::max_iterations;
        result_.message =
            fmt::format("its error could not be verified to a residual of {:.0e}; ", final_residual(problem_.x.rows()));
      }
    }
    const std::vector<std::string> names = theta_names(problem_.kernel, problem_.noise);
    const Vector errors = winner.standard_errors();
    for (Index i = 0; i < errors.size(); ++i) {
      result_.standard_errors.emplace_back(names[static_cast<std::size_t>(i)], errors(i));
    }
    sort_optima(result_.optima);
    result_.optima.insert(result_.optima.begin(),
                          Optimum{runs.front().restart, result_.status, result_.objective, log_theta(u)});
    result_.message += result_.status == Status::converged ? "converged"
                       : result_.status == Status::stopped ? "stopped on request; this is the best so far"
                       : result_.status == Status::numerical_failure
                           ? "the derivatives were not finite; these are the last good values"
                           : fmt::format("not converged after {} step{}", runs.front().iteration,
                                         runs.front().iteration == 1 ? "" : "s");
    for (const Index i : winner.at_bounds()) {
      result_.message += fmt::format("; {} ended at its bound", names[static_cast<std::size_t>(i)]);
    }
    result_.seconds = clock_.seconds();
    return std::move(result_);
  }

  const TrainOptions& options_;
  const Observer& observer_;
  Clock clock_;
  const GaussNewtonState* const resumed_;  ///< where an earlier process left it; null where it begins
  const Problem original_;                 ///< at the values given or derived from the data
  const bool free_scale_;
  Problem problem_;  ///< with one variance held when the scale is free
  double held_variance_ = 1;
  Vector first_;             ///< log θ of the best start found
  std::vector<Index> rows_;  ///< of each level
  int level_ = 0;
  std::unique_ptr<Problem> part_;  ///< what the level trains on
  TrainOptions level_options_;
  TrainingPlan plan_;
  std::unique_ptr<MultiStart> multi_start_;  ///< of the level
  bool stopped_ = false;
  TrainResult result_;
  int timed_level_ = -1, steps_begun_ = 0;
  double level_began_ = 0;
};

}  // namespace

TrainResult train_gauss_newton(const Problem& problem, const TrainOptions& options, const Observer& observer) {
  return GaussNewton(problem, options, observer).run();
}

TrainingPlan gauss_newton_plan(const Problem& given, const TrainOptions& options) {
  Problem problem = with_default_start(given);
  if (has_free_scale(problem)) problem = with_scale_held(std::move(problem));
  TrainingPlan plan = plan_training(problem, options);
  // The noise is not known yet. Less of it asks for a larger rank, or for a factorisation.
  if (!problem.noise.fixed) {
    problem.noise.variance *= 1e-3;
    plan.bytes = std::max(plan.bytes, plan_training(problem, options).bytes);
  }
  return plan;
}

TrainerTraits gauss_newton_traits() {
  return {
      .info = {.name = "gauss-newton", .pools_folds = true},
      .needs_free_parameter = false,
      .finds_subset_starts = true,
      .settings = {"epsilon", "prior", "derivatives"},
      .measures =
          [](const TrainOptions&) {
            return std::vector<std::string>{"rows", "step", "cg_iterations", "residual", "passes", "seconds_left"};
          },
      .steps = [](const TrainOptions&) { return std::string("gauss-newton"); },
      .cost =
          [](const Problem& problem, const TrainOptions& options) {
            const TrainingPlan plan = gauss_newton_plan(problem, options);
            return TrainingCost{MemoryItem{fmt::format("training: {}", plan.reason), plan.bytes, true}, plan.seconds};
          },
      .train = train_gauss_newton};
}

}  // namespace gpcv
