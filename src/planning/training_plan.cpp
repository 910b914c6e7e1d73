/// The plan of a training: which solver and which derivatives are fastest of what fits.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gpcv/error.hpp"
#include "gpcv/quantity.hpp"
#include "planning/execution_plan.hpp"
#include "planning/training_levels.hpp"

namespace gpcv {
namespace {

/// Number of steps of Gauss–Newton, and number of evaluations of L-BFGS for p parameters, in a typical training.
constexpr double newton_steps = 10;
double lbfgs_evaluations(double p) { return 15 + 2 * std::sqrt(p) * 5; }

/// Ranks that the plan compares. Those above the usual limit are worthwhile where a product takes long, and the largest
/// if a device computes the factor.
constexpr std::array<Index, 12> ranks{0, 50, 100, 200, 300, 500, 700, 1000, 1400, 2000, 2800, 4000};
constexpr Index usual_most_rank = 2000, most_rank_on_host = 2800, rows_for_more = 20000;
/// With as many folds as a leave-one-out has, an iterative solve per fold is out of the question.
constexpr Index most_iterative_folds = 100;
/// A noise that is trained may become so many times smaller, which asks for a larger rank or for a factorisation.
constexpr double smaller_noise = 1e-3;
/// Trained length scales may be shorter than typical ones: the most that their log_volume is larger by.
constexpr double shorter_lengths = 1.5;
/// The part of the start's noise that a training on a device is prepared for: its factorisations take as long with any
/// noise, while iterations with 15 000 rows take from 1 s to 40 s as the noise falls from 10⁻² to 10⁻⁶ of the signal.
constexpr double foreseen_noise = 1e-2;

class TrainingPlanner {
 public:
  TrainingPlanner(const Shape& shape, const TrainOptions& options)
      : shape_(shape), options_(options), compute_(with_budget(options.compute)), cost_(shape, compute_) {}

  ExecutionPlan plan() const {
    ExecutionPlan dense = factorised(), iterative = iterated();
    const bool dense_fits = fits(dense), iterative_fits = fits(iterative);
    const bool too_many_folds = shape_.folds > most_iterative_folds;
    if (compute_.solver == Solver::cholesky || too_many_folds ||
        (compute_.solver == Solver::automatic && dense_fits &&
         (!iterative_fits || dense.seconds <= foreseen_seconds(iterative)))) {
      if (!dense_fits || compute_.solver == Solver::cg) refuse_factorisation(dense, too_many_folds);
      dense.reason = fmt::format("factorised{}, {}{} (about {:.1g} s; conjugate gradients {:.1g} s)",
                                 cost_.stored_on_device() ? " on the device" : "",
                                 dense.adjoint ? "gradient alone, L-BFGS" : "all sensitivities", starts_of(dense),
                                 dense.seconds, iterative.seconds);
      return named(std::move(dense));
    }
    if (!iterative_fits) {
      throw InputError(fmt::format("training {} rows needs at least {}, the memory budget is {}", shape_.n,
                                   bytes(iterative.total()), bytes(compute_.memory)),
                       Remedy::raise_memory);
    }
    iterative.reason = fmt::format(
        "conjugate gradients, rank {}{}, {}{} (about {:.1g} s; factorising {:.1g} s{})", iterative.iterative.rank,
        iterative.iterative.neighbours > 0 ? fmt::format(" and {} neighbours", iterative.iterative.neighbours) : "",
        iterative.adjoint ? "gradient by the adjoint, L-BFGS" : "all folds and sensitivities together",
        starts_of(iterative), iterative.seconds, dense.seconds, dense_fits ? "" : " but does not fit the memory");
    return named(std::move(iterative));
  }

 private:
  bool fits(const ExecutionPlan& plan) const { return plan.total() <= compute_.memory; }

  /// Seconds of iterations with the noise that a training may end with.
  double foreseen_seconds(const ExecutionPlan& iterative) const {
    if (!shape_.free_noise || !cost_.stored_on_device()) return iterative.seconds;
    Shape less = shape_;
    less.noise_ratio *= foreseen_noise;
    return std::max(iterative.seconds, TrainingPlanner(less, options_).iterated().seconds);
  }

  /// Starts are followed side by side where each may keep what it has, one after the other elsewhere.
  void hold(ExecutionPlan& plan, double kept, double step) const {
    const auto of_starts = [&](Index starts) {
      plan.concurrent_starts = starts;
      const double checkpoints = shape_.checkpoints && plan.solver == Solver::cg
                                     ? static_cast<double>(starts) * cost_.checkpoint_bytes(plan.adjoint)
                                     : 0;
      plan.items = {{"inputs and target", static_cast<std::size_t>(cost_.input_bytes())},
                    {"training", static_cast<std::size_t>(static_cast<double>(starts) * kept + step), Phase::training}};
      if (checkpoints > 0) {
        plan.items.push_back(
            {"checkpoint while it is written", static_cast<std::size_t>(checkpoints), Phase::training});
      }
    };
    of_starts(std::max<Index>(1, shape_.starts));
    const bool device_full =
        plan.solver == Solver::cholesky && cost_.stored_on_device() && !cost_.stored_on_device(plan.concurrent_starts);
    if (device_full || !fits(plan)) of_starts(1);
  }

  ExecutionPlan factorised() const {
    ExecutionPlan plan;
    plan.budget = compute_.memory;
    plan.adjoint = options_.gauss_newton.derivatives == Derivatives::adjoint;
    plan.seconds = newton_steps * cost_.dense_step_seconds();
    hold(plan, cost_.dense_kept_bytes(), cost_.dense_step_bytes());
    return plan;
  }

  ExecutionPlan iterated() const {
    const Derivatives asked = options_.gauss_newton.derivatives;
    if (asked != Derivatives::automatic) return cheapest(asked == Derivatives::adjoint);
    ExecutionPlan forward = cheapest(false), adjoint = cheapest(true);
    return adjoint.seconds < forward.seconds || !fits(forward) ? adjoint : forward;
  }

  double seconds(const Preconditioning& size, bool adjoint) const {
    const auto solve = [&](Index columns) { return cost_.solve_seconds(size, columns, Accuracy::two_digits); };
    const double setup = cost_.preconditioner_seconds(size);
    if (adjoint) {
      return lbfgs_evaluations(static_cast<double>(shape_.parameters)) * (setup + 2 * solve(shape_.folds));
    }
    // The folds and all rows are solved for to the end once; that took a third of the time for 36 000 rows of kin40k.
    return newton_steps * (setup + solve(shape_.folds) + solve(shape_.folds * shape_.parameters)) +
           cost_.solve_seconds(size, shape_.folds + 1, Accuracy::final);
  }

  /// Plan with this preconditioner and the widest batch that fits.
  ExecutionPlan with(const Preconditioning& size, bool adjoint) const {
    ExecutionPlan plan;
    plan.solver = Solver::cg;
    plan.budget = compute_.memory;
    plan.adjoint = adjoint;
    plan.preconditioner_on_host = !cost_.has_device() || !cost_.fits_device(size.rank);
    plan.seconds = seconds(size, adjoint);
    Index columns = adjoint ? shape_.folds : shape_.folds * std::max<Index>(1, shape_.parameters);
    const double kept = cost_.iterative_kept_bytes(size, adjoint);
    hold(plan, kept, cost_.iterative_step_bytes(columns, size, adjoint));
    while (columns > 1 && !fits(plan)) {
      columns = (columns + 1) / 2;
      hold(plan, kept, cost_.iterative_step_bytes(columns, size, adjoint));
    }
    plan.iterative = {size.rank, columns, size.neighbours};
    return plan;
  }

  /// The number of neighbours that costs least with this rank, of those that fit; the smallest where none fits.
  ExecutionPlan of_rank(Index rank, bool adjoint) const {
    const std::vector<Preconditioning> sizes = cost_.preconditioners(rank);
    ExecutionPlan best = with(sizes.front(), adjoint);
    for (std::size_t i = 1; i < sizes.size(); ++i) {
      ExecutionPlan plan = with(sizes[i], adjoint);
      if (fits(plan) && plan.seconds < best.seconds) best = std::move(plan);
    }
    return best;
  }

  /// The rank that costs least, of those that fit, or the one asked for.
  ExecutionPlan cheapest(bool adjoint) const {
    if (compute_.rank >= 0) return of_rank(std::min<Index>(shape_.n, compute_.rank), adjoint);
    ExecutionPlan best = of_rank(0, adjoint);
    for (const Index rank : ranks) {
      if (rank == 0) continue;
      const Index wanted = std::min(shape_.n, rank);
      if (rank > usual_most_rank && shape_.n < rows_for_more) break;
      if (rank > most_rank_on_host && !cost_.has_device()) break;
      if (cost_.has_device() && !cost_.fits_device(wanted)) break;
      ExecutionPlan plan = of_rank(wanted, adjoint);
      if (!fits(plan)) break;
      if (plan.seconds < best.seconds) best = std::move(plan);
    }
    return best;
  }

  std::string starts_of(const ExecutionPlan& plan) const {
    if (shape_.starts < 2) return "";
    return fmt::format(", {} starts {}", shape_.starts,
                       plan.concurrent_starts > 1 ? "side by side" : "one after the other");
  }

  static ExecutionPlan named(ExecutionPlan plan) {
    plan.items[1].purpose = "training: " + plan.reason;
    return plan;
  }

  [[noreturn]] void refuse_factorisation(const ExecutionPlan& dense, bool too_many_folds) const {
    const std::string needed = bytes(dense.total()), budget = bytes(compute_.memory);
    if (too_many_folds) {
      throw InputError(
          fmt::format("{} folds are trained by factorising {} rows, which needs {} of memory, the budget is {}{}: "
                      "ask for fewer folds",
                      shape_.folds, shape_.n, needed, budget,
                      compute_.solver == Solver::cg ? ", and conjugate gradients were asked for" : ""));
    }
    throw InputError(
        fmt::format("a factorisation of {} rows needs {}, the memory budget is {}", shape_.n, needed, budget),
        Remedy::raise_memory_or_iterate);
  }

  const Shape shape_;
  const TrainOptions& options_;
  const ComputeOptions compute_;
  const CostModel cost_;
};

Shape training_shape(const Problem& problem, const TrainOptions& options) {
  Shape shape = shape_of(problem, problem.folds);
  shape.starts = shape.parameters > 0 ? options.restarts : 1;
  shape.checkpoints = static_cast<bool>(options.checkpoint);
  return shape;
}

}  // namespace

ExecutionPlan plan_training(const Shape& shape, const TrainOptions& options) {
  return TrainingPlanner(shape, options).plan();
}

ExecutionPlan plan_training(const Problem& problem, const TrainOptions& options) {
  return plan_training(training_shape(problem, options), options);
}

ExecutionPlan plan_nested_training(const Problem& problem, const TrainOptions& options) {
  const Shape shape = before_training(training_shape(problem, options));
  const std::vector<Index> parts = nested_rows(shape.n, options);
  const auto part = [&](std::size_t level, double noise, double log_volume) {
    Shape of = shape;
    of.log_volume = log_volume;
    if (log_volume > shape.log_volume) of.relevant = static_cast<double>(shape.d);
    of.n = parts[level];
    of.largest_fold = shape.largest_fold * parts[level] / std::max<Index>(1, shape.n);
    of.noise_ratio *= noise;
    if (level > 0) of.starts = 1;  // one start goes on from the smallest part
    return plan_training(of, options);
  };
  ExecutionPlan plan = part(parts.size() - 1, 1, shape.log_volume);
  for (std::size_t level = 0; level < parts.size(); ++level) {
    for (const double noise : {1.0, smaller_noise}) {
      if (problem.noise.fixed && noise != 1) continue;
      for (const double log_volume : {shape.log_volume, shape.log_volume + shorter_lengths}) {
        const ExecutionPlan other = part(level, noise, log_volume);
        if (other.total() > plan.total()) plan.items[1].bytes += other.total() - plan.total();
      }
    }
  }
  return plan;
}

}  // namespace gpcv
