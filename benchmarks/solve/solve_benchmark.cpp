/// The cost of a solve in passes over the kernel matrix and in time, by preconditioner, precision and number of folds.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "backends/dense_kernel.hpp"
#include "core/clock.hpp"
#include "core/random.hpp"
#include "core/threads.hpp"
#include "gpcv/kernel.hpp"
#include "solvers/conjugate_gradients.hpp"
#include "solvers/preconditioner/fold_preconditioner.hpp"
#include "systems/fold_system.hpp"

namespace {

using namespace gpcv;

struct Case {
  Matrix x;
  Vector y;
  KernelProgram program;

  explicit Case(Index n) : x(n, 8), y(n), program(Kernel::parse("se(ard, l=2.5)").bind(8).lower()) {
    Random random(1);
    for (double& value : x.reshaped()) value = random.normal();
    for (Index i = 0; i < n; ++i)
      y(i) = std::sin(x(i, 0) + x(i, 1)) + 0.5 * std::cos(x(i, 2) * x(i, 3)) + 0.1 * random.normal();
  }
};

struct Outcome {
  CgSummary summary;
  double setup = 0, seconds = 0;
};

/// Solves all folds of `folds` at once, to 1e-6.
Outcome solve(const Case& c, double noise, const Folds* folds, Index rank, Precision precision, int threads) {
  const ComputeOptions options{.precision = precision, .threads = threads};
  const Vector diagonal = Vector::Constant(c.x.rows(), noise);
  const FoldSystem system = folds != nullptr ? FoldSystem(c.program, c.x, diagonal, *folds, options)
                                             : FoldSystem::whole(c.program, c.x, diagonal, options);
  Outcome out;
  const Stopwatch setup;
  std::unique_ptr<FoldPreconditioner> preconditioner;
  if (rank > 0) preconditioner = std::make_unique<FoldPreconditioner>(system, rank, 1, threads);
  out.setup = setup.seconds();
  std::vector<int> of;
  for (int k = 0; k < system.systems(); ++k) of.push_back(k);
  Matrix b = system.sorted(c.y).replicate(1, system.systems());
  system.mask(b, of);
  Matrix z = Matrix::Zero(b.rows(), b.cols());
  const Stopwatch watch;
  out.summary = solve_cg(system, preconditioner.get(), b, of, z, {.tolerance = 1e-6, .max_iterations = 2000});
  out.seconds = watch.seconds();
  return out;
}

void print(const char* what, const Outcome& o) {
  fmt::print(
      "{:<44} {:>5} iterations, {:>4.0f} fast + {:>3.0f} double passes, residual {:.0e}, setup {:5.2f} s, solve "
      "{:6.2f} s{}\n",
      what, o.summary.iterations, o.summary.fast_passes, o.summary.exact_passes, o.summary.residual, o.setup, o.seconds,
      o.summary.returned_to_double ? ", returned to double" : "");
}

}  // namespace

int main(int argc, char** argv) {
  const Index n = argc > 1 ? std::atoll(argv[1]) : 8192;
  const int threads = available_threads();
  const Case c(n);
  fmt::print("n = {}, d = 8, se(ard), {} threads, relative residual 1e-6 in double\n", n, threads);
  for (double noise : {1e-1, 1e-2, 1e-4}) {
    fmt::print("noise ratio {:g}\n", noise);
    const Stopwatch watch;
    Matrix k = dense_kernel(c.program, c.x, threads);
    k.diagonal().array() += noise;
    const Matrix solution = Cholesky(std::move(k), threads).solve(c.y);
    fmt::print("{:<44} {:.2f} s\n", "  Cholesky, one system", watch.seconds() + 0 * solution(0));
    print("  one system, double, rank 0", solve(c, noise, nullptr, 0, Precision::double_, threads));
    for (Index rank : {Index{100}, Index{300}, Index{1000}}) {
      print(fmt::format("  one system, double, rank {}", rank).c_str(),
            solve(c, noise, nullptr, rank, Precision::double_, threads));
    }
    print("  one system, mixed, rank 300", solve(c, noise, nullptr, 300, Precision::mixed, threads));
    const Folds folds = Folds::random(n, 5, 1);
    const Outcome together = solve(c, noise, &folds, 300, Precision::mixed, threads);
    print("  5 folds together, mixed, rank 300", together);
    double apart = 0;
    for (const Fold& fold : folds.folds) {
      const Folds one{n, {fold}, "one"};
      const Outcome o = solve(c, noise, &one, 300, Precision::mixed, threads);
      apart += o.setup + o.seconds;
    }
    fmt::print("{:<44} {:.2f} of the time of five hold-outs one after the other\n", "  5 folds together",
               (together.setup + together.seconds) / apart);
  }
}
