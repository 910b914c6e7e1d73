#include "fit/estimate.hpp"

#include <algorithm>
#include <cmath>

#include "fit/kernel_candidates.hpp"
#include "fit/kernel_race.hpp"
#include "fit/learned_noise.hpp"
#include "fit/nested.hpp"
#include "fit/transform_race.hpp"
#include "planning/cost_model.hpp"
#include "problem/parameters.hpp"
#include "trainers/common/trainer_traits.hpp"
#include "trainers/start/subset_start.hpp"

namespace gpcv {
namespace {

/// Counts of typical trainings, fitted to the seconds of benchmarks/estimates/estimates.py.
struct Usual {
  /// Part of the steps of a round of the choice that a candidate takes until it has converged.
  double part_of_steps = 0.6;
  /// Evaluations of the likelihood by each start, with and without a prior.
  double likelihood_evaluations = 40;
  /// Steps with a factorised matrix, over all starts and rounds of the criterion, after a choice of the kernel and
  /// from starts of their own.
  double steps_after_choice = 9, steps_of_starts = 16;
  /// The same with conjugate gradients, in units of the plan's training.
  double plans_after_choice = 0.4, plans_of_starts = 0.55;
  /// Seconds of a step beyond its operations.
  double step_overhead = 3e-4;
  /// Seconds of two threads for the local start.
  double local_seconds = 1.5;
  /// Seconds per pair of rows and kernel of a screening, over its rounds.
  double pair_kernel = 4e-9;
  /// Seconds of the choice of a transform, and per pair of rows and parameter.
  double transform_seconds = 0.3, transform_pair = 1e-7;
};
constexpr Usual usual;
/// Rows up to which every candidate of a choice looks for a start of its own.
constexpr double few_raced_rows = 300;

class FitEstimate {
 public:
  FitEstimate(const Dataset& data, const FitOptions& options, const FitPlan& plan)
      : data_(data),
        options_(options),
        plan_(plan),
        slowness_(measured_slowness(plan.problem, plan.compute)),
        cost_(before_training(shape_of(plan.problem, plan.problem.folds)), plan.compute),
        n_(static_cast<double>(data.rows())),
        d_(static_cast<double>(data.inputs())),
        folds_(static_cast<double>(plan.problem.folds.size())),
        threads_(std::max(1, plan.compute.threads)) {}

  double choices() const {
    const double transform = options_.transform.automatic ? transform_seconds() : 0;
    return slowness_.factorisations * (transform + (options_.choose_kernel ? race_seconds() : 0));
  }

  double training() const {
    const double plan = *plan_.seconds;
    if (!trainer_traits(options_.train.trainer).info.pools_folds) return slowness_.factorisations * plan;
    const double starts = options_.choose_kernel ? 0 : slowness_.factorisations * starts_seconds();
    const double local = is_local() ? slowness_.factorisations * local_seconds() : 0;
    if (factorises()) {
      const double steps = options_.choose_kernel ? usual.steps_after_choice : usual.steps_of_starts;
      return starts + local + slowness_.factorisations * steps * (usual.step_overhead + cost_.dense_step_seconds());
    }
    const double plans = options_.choose_kernel ? usual.plans_after_choice : usual.plans_of_starts;
    return starts + local + slowness_.products * plans * plan;
  }

  double afterwards() const {
    const double importance = options_.importance ? slowness_.products * 2 * cost_.exact_pass_seconds(1) : 0;
    if (factorises()) return importance + slowness_.factorisations * cost_.dense_step_seconds();
    const Preconditioning size = plan_.execution.iterative.preconditioning();
    const double setup = cost_.preconditioner_seconds(size);
    return importance + slowness_.factorisations * setup +
           slowness_.products * cost_.solve_seconds(size, plan_.problem.folds.size() + 1, Accuracy::final);
  }

 private:
  bool factorises() const { return plan_.training_solver == Solver::cholesky; }
  bool is_local() const { return !options_.choose_kernel && data_.rows() >= 5000; }

  /// Seconds of one step of one thread on so many rows.
  double step(double rows, double p) const {
    ComputeOptions one = plan_.compute;
    one.threads = 1;
    const CostModel cost({.n = static_cast<Index>(rows),
                          .d = data_.inputs(),
                          .folds = static_cast<Index>(folds_),
                          .parameters = static_cast<Index>(p)},
                         one);
    return usual.step_overhead + cost.dense_step_seconds();
  }

  double race_seconds() const {
    double singles = 0, sums = 0;
    for (const KernelCandidate& c : kernel_candidates(plan_.problem.x, {}, options_.candidates)) {
      (c.starts > 1 ? sums : singles) += c.starts;
    }
    const auto round = [&](double rows, double candidates, double steps, double p) {
      const double side_by_side = std::min<double>(threads_, std::max(1.0, candidates));
      return candidates * usual.part_of_steps * steps * step(std::min(n_, rows), p) / side_by_side;
    };
    // On few rows every candidate looks for a start of its own.
    const double searches = n_ <= few_raced_rows ? 1 + singles / threads_ : 1;
    return searches * (search_seconds(std::min(n_, 400.0)) + screening_seconds()) + round(400, singles, 6, d_ + 3) +
           round(800, std::min(singles, 5.0), 12, d_ + 3) + round(800, sums, 12, 2 * d_ + 3) +
           round(most_raced_rows, 3, 30, 2 * d_ + 3);
  }

  /// Seconds of the screening of single inputs and pairs.
  double screening_seconds() const {
    const double rows = std::min(n_, 600.0), pairs = 0.4 * rows * rows;
    return d_ < 2 ? 0 : std::min(usual.pair_kernel * pairs * (3 * d_ + 2 * d_ * d_), 1.0) / threads_;
  }

  double transform_seconds() const {
    const double raced = std::pow(std::min(n_, static_cast<double>(most_transformed_rows)), 2);
    return usual.transform_seconds + usual.transform_pair * raced * (2 * d_ + 4);
  }

  /// Seconds of the search for starts on so many rows.
  double search_seconds(double rows) const {
    const int starts = std::max(1, options_.train.restarts);
    return usual.likelihood_evaluations * starts * likelihood_seconds(static_cast<Index>(rows), 1) /
           std::min(starts, threads_);
  }
  double starts_seconds() const {
    const Start start = options_.train.start.value_or(Start::automatic);
    if (start == Start::values || start == Start::median || options_.warm) return 0;
    return search_seconds(static_cast<double>(
        std::max<Index>(std::min<Index>(500, data_.rows()), subset_rows(plan_.problem, *plan_.seconds, plan_.train))));
  }
  double local_seconds() const { return usual.local_seconds * 2 / threads_; }

  const Dataset& data_;
  const FitOptions& options_;
  const FitPlan& plan_;
  const Slowness slowness_;
  const CostModel cost_;
  const double n_, d_, folds_;
  const int threads_;
};

}  // namespace

std::optional<Estimate> estimate_fit(const Dataset& data, const FitOptions& options, const FitPlan& plan) {
  if (!plan.seconds) return std::nullopt;
  const auto parameters = static_cast<Index>(theta_names(plan.problem.kernel, plan.problem.noise).size());
  const FitEstimate parts(data, options, plan);
  Estimate out{0, options.choose_kernel, assesses_nested(options, data, parameters, 0)};
  out.seconds = time_of_learned_noise(options) * (parts.choices() + parts.training()) + parts.afterwards();
  if (out.nests) out.seconds *= 1 + outer_work(options, data);
  return out;
}

}  // namespace gpcv
