#include "trainers/gauss_newton/gauss_newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "backends/choice.hpp"
#include "backends/preparation.hpp"
#include "core/clock.hpp"
#include "core/random.hpp"
#include "gpcv/error.hpp"
#include "planning/training_levels.hpp"
#include "problem/data_scales.hpp"
#include "problem/fold_targets.hpp"
#include "problem/scale_invariance.hpp"
#include "solvers/conjugate_gradients.hpp"
#include "systems/fold_system.hpp"
#include "trainers/common/optima_order.hpp"
#include "trainers/common/training_state.hpp"
#include "trainers/gauss_newton/multi_start.hpp"
#include "trainers/gauss_newton/rescue.hpp"
#include "trainers/start/automatic_start.hpp"
#include "trainers/start/first_values.hpp"
#include "trainers/start/local_start.hpp"
#include "trainers/start/subset_start.hpp"

namespace gpcv {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Seconds since a training began, perhaps in an earlier process.
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

  /// Follows the starts on ever larger parts of the rows, the best of them to the end.
  TrainResult run() {
    result_.free_scale = free_scale_;
    std::vector<DescentState> runs = first_runs();
    first_ = runs.front().start;
    choose_levels();
    for (level_ = resumed_ != nullptr ? resumed_->level : 0; level_ < levels(); ++level_) {
      const std::vector<Optimum> given_up = result_.optima;
      std::vector<DescentState> reached = follow(runs);
      // A part may be beyond evaluation where all rows are not.
      if (reached.empty() && !stopped_ && !is_last_level()) {
        result_.optima = given_up;
        continue;
      }
      if (reached.empty() && !stopped_) reached = rescued(runs);
      runs = std::move(reached);
      try {
        if (!runs.empty()) follow_criterion();
      } catch (const Interrupted&) {  // in the deviations or the standard errors
        stopped_ = true;
      }
      if (runs.empty() || stopped_ || is_last_level()) break;
      runs = {next_run()};
    }
    return runs.empty() ? without_result() : finished();
  }

 private:
  /// The runs that are followed first: a checkpoint's, or one from each start.
  std::vector<DescentState> first_runs() {
    if (resumed_ != nullptr) return resumed_runs();
    // One variance is held where the best start has it; the others are brought to it by their common factor.
    std::vector<DescentState> runs;
    for (const Vector& start : starts()) {
      Problem at = original_;
      at.kernel = kernel_at(original_, start);
      at.noise.variance = noise_at(original_, start);
      if (free_scale_) {
        if (runs.empty()) held_variance_ = first_variance(at.kernel);
        const double factor = held_variance_ / first_variance(at.kernel);
        at.kernel = scaled(at.kernel, factor);
        at.noise.variance *= factor;
        at = with_scale_held(std::move(at));
      }
      if (runs.empty()) problem_ = at;
      DescentState run;
      run.restart = static_cast<int>(runs.size());
      run.start = run.theta = log_values(at);
      run.objective = nan;
      runs.push_back(std::move(run));
    }
    // At the start some kernels may be others than at the values given.
    if (!runs.empty()) prepare_products(problem_);
    return runs;
  }

  /// Begins to make what products with the values of this problem need.
  void prepare_products(const Problem& at) {
    const Shape shape = shape_of(at, original_.folds);
    const KernelProgram program = at.kernel.lower();
    const Precision precision = resolve_precision(options_.compute, program, original_.x, at.noise.variance);
    const Index sample = sampled_folds(original_.folds, options_.gauss_newton.sample_rows, shape.parameters);
    for (const Index folds : {sample, shape.folds}) {
      if (folds > 0) preparation_.begin(options_.compute, {program, original_.x, folds, shape.parameters, precision});
    }
  }

  std::vector<DescentState> resumed_runs() {
    problem_ = original_;
    result_.optima = options_.resume->optima;
    result_.history = options_.resume->history;
    result_.iterations = static_cast<int>(result_.history.size());
    hold_scale_of(resumed_->held_variance);
    const Index p = log_values(problem_).size();
    for (const DescentState& run : resumed_->runs) {
      require_same_shape(run.theta.size() == p && run.start.size() == p);
      for (const Matrix& matrix : {run.curvature, run.slope_products}) {
        require_same_shape(matrix.size() == 0 || (matrix.rows() == p && matrix.cols() == p));
      }
    }
    return resumed_->runs;
  }

  /// log θ of every start, the most promising first.
  std::vector<Vector> starts() {
    if (theta_names(original_.kernel, original_.noise).empty()) return {Vector()};
    const Start kind = options_.start.value_or(Start::automatic);
    if (kind == Start::automatic || kind == Start::subset || kind == Start::local) {
      prepare_products(free_scale_ ? with_scale_held(original_) : original_);
      // A local start goes on with all rows: the fewest suffice before it.
      const Index rows = subset_rows(original_, is_local() ? 0 : whole_seconds(), options_);
      if (kind == Start::subset) return subset_starts(original_, rows, options_);
      std::vector<Vector> starts = options_.known_starts;
      if (!starts.empty() && options_.restarts <= static_cast<int>(starts.size())) return starts;
      for (Vector& start : automatic_starts(original_, rows, options_)) {
        if (static_cast<int>(starts.size()) < std::max(1, options_.restarts)) starts.push_back(std::move(start));
      }
      if (!options_.known_starts.empty()) return starts;
      // Where neighbours say little, the values that the folds of a part have chosen are the better start.
      if (is_local()) starts = {local_start(original_, starts, options_), starts.front()};
      return starts;
    }
    Random random(options_.seed);
    std::vector<Vector> starts{log_values(original_)};
    while (static_cast<int>(starts.size()) < options_.restarts) starts.push_back(random_start(original_, random));
    return starts;
  }

  /// The winner of a level as the next one begins with it.
  DescentState handed_on() const {
    const Descent& winner = *multi_start_->winner();
    DescentState run = winner.state();
    run.weights.resize(0, 0);
    run.sensitivities.resize(0, 0);
    run.deviations.resize(0);
    if (level().folds > 0 && !winner.failed()) winner.keep_curvature(run);
    return run;
  }

  /// The winner, or the local start again where the part of the rows has led away from what all rows show.
  DescentState next_run() const {
    DescentState reached = handed_on();
    if (!is_local() || level().rows == problem_.x.rows() || serves_all_rows(reached.theta)) return reached;
    DescentState run;
    run.start = run.theta = first_;
    run.objective = nan;
    return run;
  }

  /// Whether rows that are each predicted from their neighbours among all rows have about the error of the first start.
  bool serves_all_rows(const Vector& theta) const {
    try {
      const double first = local_squares(problem_, first_, options_), now = local_squares(problem_, theta, options_);
      return now <= settings_.local_excess * first;
    } catch (const Interrupted&) {
      return true;
    }
  }

  /// Whether the starts are refined by the local score, which sees the density of all rows.
  bool is_local() const {
    const Start kind = options_.start.value_or(Start::automatic);
    return kind == Start::local || (kind == Start::automatic && original_.x.rows() >= settings_.local_from);
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
    for (const Level& level : training_levels(original_, options_, is_local(), false)) {
      seconds += plan_training(part_at(original_, level), options_).seconds;
    }
    return seconds;
  }

  int levels() const { return static_cast<int>(levels_.size()); }
  const Level& level() const { return levels_[static_cast<std::size_t>(level_)]; }
  bool is_last_level() const { return level_ + 1 == levels(); }

  /// The rows or the folds of a level.
  Problem part_at(const Problem& problem, const Level& level) const {
    const Index all = problem.x.rows();
    Problem part = level.rows == all ? problem : part_of(problem, random_rows(all, level.rows, options_.seed));
    if (level.folds > 0) part.folds = some_of(problem.folds, level.folds);
    return part;
  }

  /// Parts of the rows to begin with, which a local start does not need, because it has seen the density of all rows;
  /// narrow folds may have no rows in a part. Then a sample of the folds where products are iterated.
  void choose_levels() {
    const bool sampled = resumed_ != nullptr ? resumed_->sampled_folds > 0 : samples_folds();
    levels_ = training_levels(problem_, options_, is_local(), sampled);
    const Index all = problem_.x.rows();
    std::erase_if(levels_, [&](const Level& level) {
      return level.rows < all && problem_.folds.of_rows(random_rows(all, level.rows, options_.seed)).folds.empty();
    });
  }

  /// Whether most steps evaluate some of the folds: one column of each parameter and fold is iterated.
  bool samples_folds() const {
    if (log_values(problem_).size() == 0 || options_.gauss_newton.derivatives == Derivatives::adjoint) return false;
    return plan_training(problem_, options_).solver == Solver::cg;
  }

  /// The level's rows at the first run's values, with the options and the plan for them.
  void prepare_level(const DescentState& first, int starts) {
    multi_start_.reset();  // with what it holds of the smaller part
    const Index all = problem_.x.rows(), rows = level().rows;
    auto part = std::make_shared<Problem>(part_at(problem_, level()));
    part->kernel = kernel_at(problem_, first.theta);
    part->noise.variance = noise_at(problem_, first.theta);
    level_options_ = options_;
    level_options_.restarts = starts;
    GaussNewtonOptions& own = level_options_.gauss_newton;
    if (level_ > 0) own.sensitivity_residual = std::max(settings_.sensitivity_residual, own.sensitivity_residual);
    // Steps with a known curvature are those of the last round.
    const bool has_curvature = first.curvature.size() > 0;
    round_ = has_curvature ? settings_.criterion_rounds - 1 : 0;
    if (resumed_ != nullptr && level_ == resumed_->level) round_ = resumed_->criterion_rounds;
    if (rows < all) {
      own.tolerance = std::max(settings_.part_tolerance, own.tolerance);
      level_options_.max_iterations = std::min(options_.max_iterations, settings_.steps_on_part);
    } else if (!is_last_level()) {
      own.tolerance = std::max(settings_.sample_tolerance, own.tolerance);
    } else if (level_ > 0) {
      own.tolerance = own.nested_tolerance;
    }
    final_tolerance_ = own.tolerance;
    set_tolerance_of_round();
    if (rescue_.in_double) level_options_.compute.precision = Precision::double_;
    if (rescue_.factorise) level_options_.compute.solver = Solver::cholesky;
    plan_ = plan_training(*part, level_options_);
    // Where a table has next to no noise, the bound of iterative solves limits its accuracy: for 800 rows of a smooth
    // function, the error of new rows was a ninth when a training began at a noise of 1e-10. On the processor both
    // solvers have one bound, so that they find the same values.
    const bool on_device = plan_.solver == Solver::cholesky && factorises_on_device(level_options_.compute, rows);
    if (rows == all && on_device) part->noise.least = std::min(part->noise.least, own.least_noise);
    if (has_curvature) plan_.adjoint = false;
    if (part->targets.cols() > 0) *part = with_targets_in_folds(std::move(*part));
    part_ = std::move(part);
    plan_.iterative.rank =
        std::min(rows, static_cast<Index>(rescue_.rank_factor * static_cast<double>(plan_.iterative.rank)));
    plan_.iterative.pass = std::pow(static_cast<double>(rows) / static_cast<double>(all), 2);
    const auto columns = static_cast<double>(problem_.folds.size() * (log_values(problem_).size() + 1));
    if (problem_.targets.cols() == 0) plan_.iterative.pass_columns = columns;
    if (is_last_level()) result_.plan = plan_.reason;
  }

  /// Every fold of a factorised part has every target, for the factorisation serves all. Iterations take as many
  /// columns as one target has.
  Problem with_targets_in_folds(Problem part) {
    const Index folds = part.folds.size();
    const bool factorised = plan_.solver == Solver::cholesky;
    part = over_some_targets(part, factorised ? std::max<Index>(1, settings_.most_listed_folds / folds) : 1,
                             options_.seed);
    // The derivatives of more folds take more memory.
    TrainOptions same_solver = level_options_;
    same_solver.compute.solver = plan_.solver;
    if (factorised) plan_ = plan_training(part, same_solver);
    return part;
  }

  /// Checks the deviations of a checkpoint for the folds of the level.
  void require_deviations_of_level(const DescentState& run) const {
    const Vector& deviations = run.deviations;
    if (deviations.size() == 0) return;
    require_same_shape(deviations.size() == part_->folds.validated());
    if (!(deviations.array() > 0 && deviations.array().isFinite()).all()) {
      throw InputError("the checkpoint has deviations that are not positive");
    }
  }

  /// Follows the runs on one part of the data and returns the one that won, as far as it came.
  std::vector<DescentState> follow(std::vector<DescentState> runs) {
    prepare_level(runs.front(), static_cast<int>(runs.size()));
    const bool resumed = resumed_ != nullptr && level_ == resumed_->level;
    for (DescentState& run : runs) {
      require_deviations_of_level(run);
      if (resumed) continue;
      if (run.curvature.size() == 0) run.iteration = 0;
      run.prior_weight = run.accuracy = 0;
      run.gained = level_ == 0 ? 1 : 0;  // a part's optimum is near: coarse sensitivities would be solved for twice
      run.status = Status::not_run;
    }
    multi_start_ = std::make_unique<MultiStart>(
        part_, plan_, level_options_,
        MultiStart::Events{[this](const Descent& descent) { return note(descent); },
                           [this](const DescentState& run, Status status) { give_up(run, status); },
                           [this] { checkpoint(); }},
        [this] {
          return plan_.solver == Solver::cholesky
                     ? dense_evaluator(part_, level_options_.compute, work_)
                     : iterative_evaluator(part_, plan_.iterative, level_options_.compute, work_);
        });
    stopped_ = !multi_start_->run(std::move(runs), resumed ? resumed_ : nullptr);
    if (multi_start_->winner() == nullptr) return {};
    DescentState won = multi_start_->winner()->state();
    won.weights.resize(0, 0);
    won.sensitivities.resize(0, 0);
    return {std::move(won)};
  }

  /// Squares, and the rounds of a criterion before the last, need only come near their optimum.
  void set_tolerance_of_round() {
    const bool last = options_.gauss_newton.criterion == Criterion::squared || round_ == settings_.criterion_rounds;
    level_options_.gauss_newton.tolerance =
        last ? final_tolerance_ : std::max(settings_.part_tolerance, final_tolerance_);
  }

  /// Follows the best start by the criterion, in rounds: the deviations of the held-out predictions at θ, then steps
  /// with these deviations. The squares of the first look need no deviation and find the neighbourhood.
  void follow_criterion() {
    if (part_->x.rows() < problem_.x.rows()) return;
    if (options_.gauss_newton.criterion == Criterion::squared) return;
    while (!stopped_ && round_ < settings_.criterion_rounds && multi_start_->winner() != nullptr) {
      const Descent& best = *multi_start_->winner();
      if (best.failed() || best.state().theta.size() == 0 || best.error() == 0) return;
      if (best.state().iteration >= options_.max_iterations) {
        return multi_start_->winner()->conclude(Status::max_iterations);
      }
      Vector deviations = current_deviations();
      ++round_;
      if (deviations.size() == 0) {  // the loss stays as it is
        round_ = settings_.criterion_rounds;
        deviations = best.state().deviations;
      }
      set_tolerance_of_round();
      const Vector before = best.state().theta;
      stopped_ = !multi_start_->run_again(std::move(deviations));
      if (multi_start_->winner() == nullptr) return;
      const Vector& after = multi_start_->winner()->state().theta;
      // The last round, to the final tolerance, is always taken.
      const bool settled = (after - before).cwiseAbs().maxCoeff() < settings_.settled;
      if (settled) round_ = std::max(round_, settings_.criterion_rounds - 1);
    }
    if (!stopped_ && multi_start_->winner() != nullptr) multi_start_->winner()->prepare_standard_errors();
  }

  /// Calibrated deviations of the held-out predictions at the best point; empty where they cannot be computed.
  Vector current_deviations() {
    FoldEvaluator& evaluator = multi_start_->winner()->evaluator();
    const bool factorised = plan_.solver == Solver::cholesky;
    const VarianceMethod method = factorised ? VarianceMethod{.kind = VarianceMethod::Kind::exact}
                                             : VarianceMethod{.kind = VarianceMethod::Kind::neighbours,
                                                              .neighbours = settings_.criterion_neighbours};
    try {
      const Vector variances = evaluator.variances(method, part_->folds.validated() * part_->folds.size());
      return calibrated_deviations(part_->folds, evaluator.residuals(), variances);
    } catch (const NumericalError&) {
      result_.message += round_ == 0
                             ? "the deviations of the criterion could not be computed, so squares were minimised; "
                             : "the deviations of the criterion could not be computed again; ";
      return {};
    }
  }

  /// Follows runs none of which could be evaluated, in one way after the other that makes that easier.
  std::vector<DescentState> rescued(const std::vector<DescentState>& runs) {
    for (const Rescue& rescue : rescues) {
      std::vector<DescentState> easier = runs;
      const Index noise = original_.noise.fixed ? -1 : runs.front().theta.size() - 1;
      if (rescue.noise_factor > 1 && noise < 0) continue;
      for (DescentState& run : easier) {
        if (noise >= 0) run.theta(noise) += std::log(rescue.noise_factor);
        run.start = run.theta;
      }
      rescue_ = rescue;
      std::vector<DescentState> reached;
      try {
        reached = follow(std::move(easier));
      } catch (const InputError&) {
        continue;  // the plan has no memory for it
      }
      if (reached.empty() && !stopped_) continue;
      result_.message +=
          fmt::format("no start could be evaluated as it was, so it was evaluated {}; ", rescue.in_words);
      return reached;
    }
    rescue_ = {};
    return {};
  }

  void give_up(const DescentState& run, Status status) {
    if (status == Status::not_run) status = Status::stopped;
    Optimum optimum{run.restart, status, run.objective, {}};
    if (optimum.reached()) optimum.log_theta = log_theta(run.theta);
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
                       work_->column_passes,
                       descent.loss(),
                       seconds_left()};
    ++result_.iterations;
    result_.history.push_back(record);
    return !observer_ || observer_(record);
  }

  /// Estimated from the cost of the steps so far on this part, and of those expected here and on the larger parts.
  double seconds_left() {
    const double now = clock_.seconds();
    if (level_ != timed_level_) {
      timed_level_ = level_;
      level_began_ = now;
      steps_begun_ = result_.iterations;
    }
    const double usual_steps = settings_.usual_steps;
    const double steps = result_.iterations - steps_begun_;
    const double per_step = steps > 0 ? (now - level_began_) / steps : plan_.seconds / usual_steps;
    double left = std::max(1.0, usual_steps - steps) * per_step;
    const double here = columns_of_step(level());
    for (std::size_t l = static_cast<std::size_t>(level_) + 1; l < levels_.size(); ++l) {
      left += 0.5 * usual_steps * per_step * columns_of_step(levels_[l]) / here;
    }
    return left;
  }

  /// Columns that a step of a level solves for, times the pairs of rows.
  double columns_of_step(const Level& level) const {
    const bool follows_sample = level == levels_.back() && levels() > 1 && levels_[levels_.size() - 2].folds > 0;
    const Index folds = level.folds > 0 ? level.folds : problem_.folds.size();
    const Index each = follows_sample ? 2 : log_values(problem_).size() + 1;
    return std::pow(static_cast<double>(level.rows), 2) * static_cast<double>(folds * each);
  }

  void checkpoint() {
    if (!options_.checkpoint) return;
    Index sample = 0;
    for (const Level& level : levels_) sample = std::max(sample, level.folds);
    GaussNewtonState own{level_, static_cast<int>(sample), multi_start_->rounds(), multi_start_->first_iterations(),
                         round_, held_variance_,           multi_start_->states()};
    options_.checkpoint({std::move(own), result_.optima, "", result_.history, clock_.seconds()});
  }

  /// No start was evaluated.
  TrainResult without_result() {
    const bool has_start = stopped_;
    result_.kernel = has_start ? restored(first_) : original_.kernel;
    result_.noise = has_start ? noise_at(problem_, first_) : original_.noise.variance;
    result_.objective = nan;
    result_.status = stopped_ ? Status::stopped : Status::numerical_failure;
    result_.message = stopped_ ? "stopped before the first error was known; these are start values, not trained"
                               : "no start gave a cross-validation error; raise the noise or check the data";
    return closed();
  }

  TrainResult finished() {
    Descent& winner = *multi_start_->winner();
    const Vector& u = winner.state().theta;
    result_.kernel = restored(u);
    result_.noise = noise_at(problem_, u);
    result_.status = stopped_ ? Status::stopped : winner.status();
    result_.objective = winner.error();
    if (level().folds == 0 && part_->x.rows() == problem_.x.rows()) verify(winner);
    const std::vector<std::string> names = theta_names(problem_.kernel, problem_.noise);
    const Vector errors = winner.standard_errors();
    result_.effective_parameters = winner.effective_parameters();
    for (Index i = 0; i < errors.size(); ++i) {
      result_.standard_errors.emplace_back(names[static_cast<std::size_t>(i)], errors(i));
    }
    sort_optima(result_.optima);
    result_.optima.insert(result_.optima.begin(),
                          Optimum{winner.state().restart, result_.status, result_.objective, log_theta(u)});
    result_.message += message(winner);
    for (const Index i : winner.at_bounds()) {
      result_.message += fmt::format("; {} ended at its bound", names[static_cast<std::size_t>(i)]);
    }
    if (result_.jitter > 0) result_.message += fmt::format("; jitter {:.1e} was added to a diagonal", result_.jitter);
    return closed();
  }

  /// Where all rows were reached, the error is verified: its residuals are solved for to the end.
  void verify(Descent& winner) {
    // Where folds have some of the targets only, the caller solves for all of them.
    if (!covers_all_targets(*part_)) {
      result_.cv_residuals = part_->folds.by_row(winner.evaluator().residuals());
      return;
    }
    bool verified = false;
    try {
      const double error = winner.verify();
      verified = std::isfinite(error);
      if (verified) keep_verified(winner, error);
    } catch (const Interrupted&) {
      result_.status = Status::stopped;
      result_.cv_residuals = part_->folds.by_row(winner.evaluator().residuals());
      result_.weights = winner.all_row_weights().of(0);
    } catch (const NumericalError&) {
      // Without a preconditioner there is no verification.
    }
    if (verified || result_.status != Status::converged) return;
    result_.status = Status::max_iterations;
    result_.message =
        fmt::format("its error could not be verified to a residual of {:.0e}; ", final_residual(problem_.x.rows()));
  }

  /// The verified error, and the evaluator that validation, calibration and conditioning go on with.
  void keep_verified(Descent& winner, double error) {
    result_.objective = error;
    result_.cv_residuals = part_->folds.by_row(winner.evaluator().residuals());
    const AllRowWeights weights = winner.all_row_weights();
    result_.weights = weights.of(0);
    result_.weights_residual = weights.residual;
    result_.jitter = winner.evaluator().jitter();
    result_.evaluator = winner.release_evaluator();
    result_.evaluator->stop_when({});
  }

  std::string message(const Descent& winner) const {
    switch (result_.status) {
      case Status::converged:
        return "converged";
      case Status::stopped:
        return "stopped on request; this is the best so far";
      case Status::numerical_failure:
        return "the derivatives were not finite; these are the last good values";
      default:
        break;
    }
    const int steps = winner.state().iteration;
    return fmt::format("not converged after {} step{}{}", steps, steps == 1 ? "" : "s",
                       winner.sensitivities_solved() ? "" : "; the sensitivities could not be solved for");
  }

  TrainResult closed() {
    result_.work = *work_;
    result_.seconds = clock_.seconds();
    return std::move(result_);
  }

  const NestedSettings settings_;
  const TrainOptions& options_;
  const Observer& observer_;
  Clock clock_;
  const GaussNewtonState* const resumed_;  ///< where an earlier process left it; null where it begins
  const Problem original_;                 ///< at the values given or derived from the data
  const bool free_scale_;
  Problem problem_;  ///< with one variance held when the scale is free
  double held_variance_ = 1;
  Vector first_;  ///< log θ of the best start found
  std::vector<Level> levels_;
  int level_ = 0;
  std::shared_ptr<const Problem> part_;  ///< what the level trains on
  TrainOptions level_options_;
  Rescue rescue_;               ///< way in which the starts are evaluated
  double final_tolerance_ = 0;  ///< of the level's last round
  int round_ = 0;               ///< how often the deviations of the criterion were computed
  ExecutionPlan plan_;
  std::unique_ptr<MultiStart> multi_start_;  ///< of the level
  bool stopped_ = false;
  TrainResult result_;
  std::shared_ptr<Work> work_ = std::make_shared<Work>();
  int timed_level_ = -1, steps_begun_ = 0;
  double level_began_ = 0;
  ProductPreparation preparation_;  ///< the last member: it refers to the others
};

}  // namespace

TrainResult train_gauss_newton(const Problem& problem, const TrainOptions& options, const Observer& observer) {
  return GaussNewton(problem, options, observer).run();
}

ExecutionPlan gauss_newton_plan(const Problem& given, const TrainOptions& options) {
  Problem problem = with_default_start(given);
  if (has_free_scale(problem)) problem = with_scale_held(std::move(problem));
  return plan_nested_training(problem, options);
}

TrainerTraits gauss_newton_traits() {
  return {.info = {.name = "gauss-newton", .pools_folds = true},
          .needs_free_parameter = false,
          .finds_subset_starts = true,
          .settings = {"epsilon", "prior", "derivatives", "criterion"},
          .measures =
              [](const TrainOptions&) {
                return std::vector<std::string>{"rows",   "step", "cg_iterations", "residual",
                                                "passes", "loss", "seconds_left"};
              },
          .steps =
              [](const TrainOptions& options) {
                return fmt::format("gauss-newton, {}", name_of(options.gauss_newton.criterion));
              },
          .cost =
              [](const Problem& problem, const TrainOptions& options) {
                ExecutionPlan plan = gauss_newton_plan(problem, options);
                std::erase_if(plan.items, [](const PlanItem& item) { return item.phase != Phase::training; });
                // Their noise decides the solver and its rank; TrainResult::plan is what was followed.
                const Start kind = options.start.value_or(Start::automatic);
                const bool finds_starts = kind != Start::values && kind != Start::median;
                if (finds_starts && !theta_names(problem.kernel, problem.noise).empty()) {
                  plan.items.front().purpose += "; settled once the starts are found";
                }
                return TrainingCost{std::move(plan.items), plan.seconds, plan.solver};
              },
          .train = train_gauss_newton};
}

}  // namespace gpcv
