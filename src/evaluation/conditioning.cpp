#include "evaluation/conditioning.hpp"

#include <fmt/format.h>

#include "backends/dense_kernel.hpp"
#include "evaluation/machine_speed.hpp"
#include "gpcv/error.hpp"

namespace gpcv {

void throw_unsolved(double reached, double wanted, int iterations) {
  throw NumericalError(
      fmt::format("conjugate gradients reached a relative residual of {:.1e} instead of {:.0e} in {} iterations",
                  reached, wanted, iterations),
      Remedy::raise_noise_or_factorise);
}

IterativeSystem::IterativeSystem(const Problem& problem, const IterativePlan& plan, const ComputeOptions& compute)
    : stop(compute.stop), threads(compute.threads) {
  const Vector noise = Vector::Constant(problem.x.rows(), problem.noise.variance);
  const KernelProgram program = problem.kernel.lower();
  system = std::make_unique<FoldSystem>(FoldSystem::whole(program, problem.x, noise, compute));
  if (plan.rank > 0) {
    preconditioner = std::make_unique<FoldPreconditioner>(*system, plan.rank, pivot_seed, compute.threads,
                                                          FoldPreconditioner::usually_negligible, plan.neighbours);
  }
}

CgSummary IterativeSystem::attempt(ConstView b, std::span<const int> of, View x, double tolerance) const {
  CgOptions options{.tolerance = tolerance, .max_iterations = iteration_limit::result};
  options.threads = threads;
  options.progress = [&](int, double) { return !stop || !stop(); };
  return solve_cg(*system, preconditioner.get(), b, of, x, options);
}

CgSummary IterativeSystem::solve(ConstView b, std::span<const int> of, View x, double tolerance) const {
  const CgSummary summary = attempt(b, of, x, tolerance);
  if (summary.status == Status::stopped) throw Interrupted("stopped before the end");
  if (summary.status != Status::converged) throw_unsolved(summary.residual, tolerance, summary.iterations);
  return summary;
}

namespace {

Vector by_factor(const Problem& problem, const ComputeOptions& compute) {
  return covariance_factor(problem.kernel.lower(), problem.x, problem.noise.variance, compute)->solve(problem.y);
}

/// The preconditioner that gives an accurate result within the seconds, or else the best one there is time for.
Preconditioning preconditioning_within(const CostModel& cost, const Slowness& slowness, const Preconditioning& planned,
                                       double seconds) {
  const double as_planned = solve_seconds(cost, slowness, planned, Accuracy::final);
  if (as_planned <= seconds) return planned;
  const CheapSolve accurate = cheapest_solve(cost, slowness, Accuracy::final, planned.rank);
  return (accurate.seconds <= seconds ? accurate : cheapest_solve(cost, slowness, Accuracy::two_digits, planned.rank))
      .size;
}

/// The system with the preconditioner of the plan, or with a smaller one where that takes more than half of the time.
std::unique_ptr<IterativeSystem> system_within(const Problem& problem, IterativePlan plan,
                                               const ComputeOptions& compute, Deadline& deadline) {
  ComputeOptions hurried = compute;
  for (;;) {
    hurried.stop = [&deadline, until = 0.5 * deadline.free()] { return deadline.over() || deadline.free() < until; };
    try {
      auto system = std::make_unique<IterativeSystem>(problem, plan, hurried);
      system->stop = [&deadline] { return deadline.over(); };
      return system;
    } catch (const Interrupted&) {
      plan = {plan.rank >= 100 && !deadline.over() ? plan.rank / 4 : 0, plan.columns, plan.neighbours / 2};
      if (plan.rank == 0) plan.neighbours = 0;
    }
  }
}

/// Conjugate gradients until the final residual or the deadline. Throws NumericalError where the residual is out of
/// reach.
ReachedWeights by_iterations(const Problem& problem, const IterativePlan& plan, const ComputeOptions& compute,
                             const Vector& start, Deadline& deadline) {
  const std::unique_ptr<IterativeSystem> system = system_within(problem, plan, compute, deadline);
  Matrix weights = Matrix::Zero(problem.y.size(), 1);
  if (start.size() == weights.rows() && start.allFinite()) weights.col(0) = start;
  const std::vector<int> one{0};
  const double tolerance = final_residual(problem.x.rows());
  const CgSummary reached = system->attempt(problem.y, one, weights, tolerance);
  if (reached.status == Status::converged) return {weights.col(0), reached.residual};
  if (reached.status != Status::stopped) throw_unsolved(reached.residual, tolerance, reached.iterations);
  return {weights.col(0), reached.residual, false};
}

}  // namespace

ReachedWeights weights_within(const Problem& problem, const ComputeOptions& compute, const Vector& start,
                              Deadline& deadline, const Work& work) {
  ExecutionPlan plan = plan_solves(shape_of(problem, 1), compute);
  const bool hurries = deadline.left() < Deadline::never;
  const Slowness slowness =
      hurries ? measured_slowness(problem, compute).at_least(shown_slowness(problem, compute, work)) : Slowness{};
  const CostModel cost(shape_of(problem, 1), compute);
  const double factor = hurries ? slowness.factorisations * cost.factor_seconds() : 0;
  if (plan.solver == Solver::cholesky && (!hurries || factor < deadline.free())) return {by_factor(problem, compute)};
  if (plan.solver == Solver::cholesky) {
    ComputeOptions iterating = compute;
    iterating.solver = Solver::cg;
    plan = plan_solves(shape_of(problem, 1), iterating);
  }
  if (hurries) {
    const Preconditioning size =
        preconditioning_within(cost, slowness, plan.iterative.preconditioning(), deadline.free());
    plan.iterative.rank = size.rank;
    plan.iterative.neighbours = size.neighbours;
  }
  try {
    return by_iterations(problem, plan.iterative, compute, start, deadline);
  } catch (const NumericalError&) {
    // Where it fits, a factorisation solves a system that is too hard for iterations.
    if (!factor_fits(problem.x.rows(), problem.x.cols(), compute) || factor > deadline.free()) throw;
    return {by_factor(problem, compute)};
  }
}

Vector posterior_weights(const Problem& problem, const ComputeOptions& compute, const Vector& start) {
  Deadline never(Deadline::never, compute.stop, compute.communicator);
  never.allow(0);
  ReachedWeights reached = weights_within(problem, compute, start, never);
  if (!reached.complete) throw Interrupted("stopped before the end");
  return std::move(reached.values);
}

}  // namespace gpcv
