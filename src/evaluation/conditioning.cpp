#include "evaluation/conditioning.hpp"

#include <fmt/format.h>

#include "backends/dense_kernel.hpp"
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

CgSummary IterativeSystem::solve(ConstView b, std::span<const int> of, View x, double tolerance) const {
  CgOptions options{.tolerance = tolerance, .max_iterations = iteration_limit::result};
  options.threads = threads;
  options.progress = [&](int, double) { return !stop || !stop(); };
  const CgSummary summary = solve_cg(*system, preconditioner.get(), b, of, x, options);
  if (summary.status == Status::stopped) throw Interrupted("stopped before the end");
  if (summary.status != Status::converged) throw_unsolved(summary.residual, tolerance, summary.iterations);
  return summary;
}

Vector posterior_weights(const Problem& problem, const ComputeOptions& compute, const Vector& start) {
  const auto by_factor = [&] {
    return Vector(
        covariance_factor(problem.kernel.lower(), problem.x, problem.noise.variance, compute)->solve(problem.y));
  };
  const ExecutionPlan plan = plan_solves(shape_of(problem, 1), compute);
  if (plan.solver == Solver::cholesky) return by_factor();
  try {
    const IterativeSystem system(problem, plan.iterative, compute);
    Matrix weights = Matrix::Zero(problem.y.size(), 1);
    if (start.size() == weights.rows() && start.allFinite()) weights.col(0) = start;
    const std::vector<int> one{0};
    system.solve(problem.y, one, weights, final_residual(problem.x.rows()));
    return weights.col(0);
  } catch (const NumericalError&) {
    // Where it fits, a factorisation solves a system that is too hard for iterations.
    if (!factor_fits(problem.x.rows(), problem.x.cols(), compute)) throw;
    return by_factor();
  }
}

}  // namespace gpcv
