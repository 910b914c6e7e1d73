#include "evaluation/conditioning.hpp"

#include <fmt/format.h>

#include "backends/dense_kernel.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

/// The preconditioner's pivots are drawn; any seed does, one seed gives one result.
constexpr std::uint64_t weights_pivot_seed = 1;
constexpr int most_iterations = 5000;

}  // namespace

MemoryRequest memory_request(const Problem& problem, Index columns, Index folds, const ComputeOptions& compute) {
  const Index few = std::min<Index>(problem.x.rows(), 100);
  const double signal = kernel_diagonal(problem.kernel.lower(), problem.x.topRows(few)).mean();
  MemoryRequest request;
  request.n = problem.x.rows();
  request.d = problem.x.cols();
  request.columns = columns;
  request.folds = folds;
  request.noise_ratio = problem.noise.variance / signal;
  request.compute = compute;
  return request;
}

bool factor_fits(Index n, Index d, const ComputeOptions& compute) {
  MemoryRequest request;
  request.n = n;
  request.d = d;
  request.compute = compute;
  request.compute.solver = Solver::cholesky;
  try {
    plan_memory(request);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

Cholesky factorise(const KernelProgram& program, ConstView x, double noise, int threads) {
  Matrix c = dense_kernel(program, x, threads);
  c.diagonal().array() += noise;
  return Cholesky(std::move(c), threads);
}

IterativeSystem::IterativeSystem(const Problem& problem, const Folds* folds, const MemoryPlan& plan,
                                 const ComputeOptions& compute)
    : stop(compute.stop), threads(compute.threads) {
  const Vector noise = Vector::Constant(problem.x.rows(), problem.noise.variance);
  const KernelProgram program = problem.kernel.lower();
  system = std::make_unique<FoldSystem>(folds != nullptr ? FoldSystem(program, problem.x, noise, *folds, compute)
                                                         : FoldSystem::whole(program, problem.x, noise, compute));
  if (plan.rank > 0) {
    preconditioner = std::make_unique<FoldPreconditioner>(*system, plan.rank, weights_pivot_seed, compute.threads);
  }
}

CgSummary IterativeSystem::solve(ConstView b, std::span<const int> of, View x, double tolerance) const {
  CgOptions options{.tolerance = tolerance, .max_iterations = most_iterations};
  options.threads = threads;
  options.progress = [&](int, double) { return !stop || !stop(); };
  const CgSummary summary = solve_cg(*system, preconditioner.get(), b, of, x, options);
  if (summary.status == Status::stopped) throw Interrupted("stopped before the end");
  if (summary.status != Status::converged) {
    throw NumericalError(
        fmt::format("conjugate gradients reached a relative residual of {:.1e} instead of {:.0e} in {} iterations: "
                    "raise the noise, "
                    "or use --solver cholesky",
                    summary.residual, tolerance, summary.iterations));
  }
  return summary;
}

}  // namespace gpcv
