#include "planning/training_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "backends/dense_kernel.hpp"
#include "core/bytes.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/error.hpp"
#include "planning/memory_plan.hpp"
#include "planning/rates.hpp"

namespace gpcv {
namespace {

// Rates of one core, rounded, from benchmarks/products and benchmarks/solve on a 2.6 GHz AVX-512 machine, for what is
// factorised there; the others are those of the backend. Only their ratios decide anything.
constexpr double inverse_flops = 2e10;          ///< of a factorisation followed by the inverse
constexpr double pairs_rate = 3e9;              ///< kernel evaluations per second
constexpr double double_columns_rate = 1.5e10;  ///< pairs times columns per second
/// A factorisation of so many rows keeps one more thread busy.
constexpr double rows_per_thread = 250;
/// Accepted and tried steps of Gauss–Newton, and evaluations of L-BFGS for p parameters.
constexpr double newton_steps = 10;
double lbfgs_evaluations(double p) { return 15 + 2 * std::sqrt(p) * 5; }

/// Those beyond the usual pay where a device makes the factor and a product is very long.
constexpr std::array<Index, 12> ranks{0, 50, 100, 200, 300, 500, 700, 1000, 1400, 2000, 2800, 4000};
constexpr Index usual_most_rank = 2000, rows_for_more = 200000;
/// A block of 64 columns of the factor takes a device as long as so many iterations' overhead, whatever its size.
constexpr double overheads_per_block = 10;

struct Shape {
  double n, folds, p, noise;
  int threads;
  bool single;
  Rates rates;
  double ranks = 1;  ///< of a communicator: rows of the preconditioner are shared
};

/// Iterations to two digits; the √κ of what the preconditioner leaves.
double iterations(const Shape& s, double rank) {
  const double left = s.n / (1 + rank * rank / 1000);
  return 3 + 0.15 * std::sqrt(left / std::max(s.noise, 1e-8));
}

/// One solve of so many columns.
double solve_seconds(const Shape& s, double rank, double columns) {
  const double rate = s.single ? s.rates.single_columns : s.rates.double_columns;
  const double product = s.n * s.n * ((s.rates.symmetric ? 0.5 : 1) / s.rates.pairs + columns / rate);
  const double preconditioner =
      4 * s.n * rank * columns / s.rates.preconditioner_flops + 2 * s.n * rank / s.rates.preconditioner_reads;
  return iterations(s, rank) * (product + preconditioner + s.rates.iteration_overhead);
}

double setup_seconds(const Shape& s, double rank) {
  return (3 * s.n * rank * rank + s.folds * rank * rank * rank / 3) / s.rates.preconditioner_flops +
         rank / 64 * overheads_per_block * s.rates.iteration_overhead;
}

double iterative_seconds(const Shape& s, double rank, bool adjoint) {
  if (adjoint) return lbfgs_evaluations(s.p) * (setup_seconds(s, rank) + 2 * solve_seconds(s, rank, s.folds));
  return newton_steps *
         (setup_seconds(s, rank) + solve_seconds(s, rank, s.folds) + solve_seconds(s, rank, s.folds * s.p));
}

/// Of the preconditioner on a device: F, the small matrices of every fold twice.
double factor_bytes(const Shape& s, double rank) {
  return sizeof(double) * (s.n * (rank + 64) + (2 * s.folds + 1) * rank * rank);
}

/// Vectors of conjugate gradients, sensitivities and their right-hand sides; the preconditioner.
double iterative_bytes(const Shape& s, double d, double rank, double columns, bool adjoint) {
  if (s.rates.factor_bytes > 0) rank = 0;
  const double kept = adjoint ? 6 * s.folds : 4 * s.folds + 4 * s.folds * s.p;
  return sizeof(double) *
         (s.n * (6 * d + kept + 6 * columns + (rank + (rank > 0 ? 128 : 0)) / s.ranks) + (s.folds + 1) * rank * rank);
}

double dense_bytes(const Shape& s, double d, double largest) {
  // The matrix, then its inverse in the same place; a fold's columns of it, blocks of all folds; derivatives.
  return sizeof(double) *
         (s.n * s.n + s.n * largest + std::min(s.n, s.folds * largest) * largest + s.n * (6 * d + 2 * s.folds * s.p));
}

}  // namespace

double noise_ratio(const Problem& problem) {
  const Index few = std::min<Index>(problem.x.rows(), 100);
  const double signal = kernel_diagonal(problem.kernel.lower(), problem.x.topRows(few)).mean();
  return problem.noise.variance / std::max(signal, 1e-300);
}

double likelihood_seconds(Index rows, int threads) {
  const auto n = static_cast<double>(rows);
  const double busy = std::clamp<double>(threads, 1, 1 + n / rows_per_thread);
  return 2e-4 + (n * n * n / inverse_flops + n * n * 10 / pairs_rate) / busy;
}

std::vector<Index> nested_rows(Index rows, const TrainOptions& options) {
  if (rows < options.gauss_newton.nested_from) return {rows};
  return {rows / 16, rows / 4, rows};
}

TrainingPlan plan_training(const Problem& problem, const TrainOptions& options) {
  const ComputeOptions& compute = options.compute;
  const auto budget = static_cast<double>(compute.memory > 0 ? compute.memory : default_memory_budget());
  const Index folds = problem.folds.size();
  const auto d = static_cast<double>(problem.x.cols());
  const Index p = static_cast<Index>(theta_names(problem.kernel, problem.noise).size());
  const Shape s{static_cast<double>(problem.x.rows()),
                static_cast<double>(folds),
                static_cast<double>(p),
                noise_ratio(problem),
                std::max(1, compute.threads),
                compute.precision != Precision::double_,
                rates_of(compute, problem.x.rows()),
                compute.communicator ? static_cast<double>(compute.communicator->size()) : 1};
  const auto largest = static_cast<double>(problem.folds.largest_validation());

  // Leave-one-out has as many folds as rows: K·p columns of derivatives, and iterations for every one of them.
  const double factorise =
      s.n * s.n * s.n / (inverse_flops * s.threads) + s.n * s.n * s.folds * s.p / (double_columns_rate * s.threads);
  const double dense_seconds = newton_steps * factorise;
  const double dense_memory = dense_bytes(s, d, largest);

  // The rank that costs least, of those that fit.
  auto cheapest = [&](bool adjoint) {
    TrainingPlan plan;
    plan.solver = Solver::cg;
    plan.adjoint = adjoint;
    plan.seconds = std::numeric_limits<double>::infinity();
    const Index columns = adjoint ? folds : folds * std::max<Index>(1, p);
    for (const Index rank : ranks) {
      if (compute.rank >= 0 && rank != ranks[0]) break;
      const Index wanted = std::min(problem.x.rows(), compute.rank >= 0 ? static_cast<Index>(compute.rank) : rank);
      const auto r = static_cast<double>(wanted);
      const bool on_device = s.rates.factor_bytes > 0;
      if (rank > usual_most_rank && !(on_device && problem.x.rows() >= rows_for_more)) break;
      if (rank > 0 && on_device && factor_bytes(s, r) > static_cast<double>(s.rates.factor_bytes)) break;
      Index at_once = columns;
      while (at_once > 1 && iterative_bytes(s, d, r, static_cast<double>(at_once), adjoint) > budget) {
        at_once = (at_once + 1) / 2;
      }
      const double bytes = iterative_bytes(s, d, r, static_cast<double>(at_once), adjoint);
      if (bytes > budget && rank != ranks[0]) break;
      const double seconds = iterative_seconds(s, r, adjoint);
      if (seconds < plan.seconds) {
        plan.seconds = seconds;
        plan.bytes = static_cast<std::size_t>(bytes);
        plan.iterative.rank = wanted;
        plan.iterative.columns = at_once;
      }
    }
    return plan;
  };
  TrainingPlan forward = cheapest(false), adjoint = cheapest(true);
  const Derivatives asked = options.gauss_newton.derivatives;
  const bool use_adjoint = asked == Derivatives::adjoint ||
                           (asked == Derivatives::automatic &&
                            (adjoint.seconds < forward.seconds || static_cast<double>(forward.bytes) > budget));
  TrainingPlan iterative = use_adjoint ? std::move(adjoint) : std::move(forward);
  const bool dense_fits = dense_memory <= budget, iterative_fits = static_cast<double>(iterative.bytes) <= budget;

  // With as many folds as a leave-one-out has, an iterative solve per fold is out of the question.
  const bool too_many_folds = folds > 100;
  const bool dense =
      compute.solver == Solver::cholesky || too_many_folds ||
      (compute.solver == Solver::automatic && dense_fits && (!iterative_fits || dense_seconds <= iterative.seconds));
  if (dense) {
    if (!dense_fits || compute.solver == Solver::cg) {
      if (too_many_folds) {
        throw InputError(
            fmt::format("{} folds are trained by factorising {} rows, which needs {} of memory, the budget is {}{}: "
                        "ask for fewer folds",
                        folds, problem.x.rows(), bytes(static_cast<std::size_t>(dense_memory)),
                        bytes(static_cast<std::size_t>(budget)),
                        compute.solver == Solver::cg ? ", and conjugate gradients were asked for" : ""));
      }
      throw InputError(
          fmt::format("a factorisation of {} rows needs {}, the memory budget is {}", problem.x.rows(),
                      bytes(static_cast<std::size_t>(dense_memory)), bytes(static_cast<std::size_t>(budget))),
          Remedy::raise_memory_or_iterate);
    }
    TrainingPlan plan;
    plan.adjoint = asked == Derivatives::adjoint;
    plan.seconds = dense_seconds;
    plan.bytes = static_cast<std::size_t>(dense_memory);
    plan.reason =
        fmt::format("factorised, {} (about {:.1g} s; conjugate gradients {:.1g} s)",
                    plan.adjoint ? "gradient alone, L-BFGS" : "all sensitivities", dense_seconds, iterative.seconds);
    return plan;
  }
  if (!iterative_fits) {
    throw InputError(fmt::format("training {} rows needs at least {}, the memory budget is {}", problem.x.rows(),
                                 bytes(iterative.bytes), bytes(static_cast<std::size_t>(budget))),
                     Remedy::raise_memory);
  }
  iterative.reason =
      fmt::format("conjugate gradients, rank {}, {} (about {:.1g} s; factorising {:.1g} s{})", iterative.iterative.rank,
                  use_adjoint ? "gradient by the adjoint, L-BFGS" : "all folds and sensitivities together",
                  iterative.seconds, dense_seconds, dense_fits ? "" : " but does not fit the memory");
  return iterative;
}

}  // namespace gpcv
