/// Training with all folds in one batch, compared with one hold-out after another: same θ path, same tolerances.
///
///   fold_batch [rows] [inputs] [folds]
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "core/borrowed.hpp"
#include "core/clock.hpp"
#include "core/random.hpp"
#include "core/threads.hpp"
#include "evaluation/fold_evaluator.hpp"
#include "problem/parameters.hpp"

namespace {

using namespace gpcv;

constexpr double accuracy = 0.01, sensitivity_residual = 0.03;
constexpr int steps = 3;

/// Computes the value, the sensitivities and the next point, as Gauss–Newton does.
double walk(const Problem& problem, const IterativePlan& plan, const ComputeOptions& compute, Work& work) {
  const auto error = iterative_evaluator(borrowed<const Problem>(problem), plan, compute, borrowed(work));
  Vector u = log_parameters(problem).value;
  const Stopwatch watch;
  for (int i = 0; i < steps; ++i) {
    error->evaluate(u, accuracy);
    error->accept();
    error->normal(sensitivity_residual);
    u.array() -= 0.05;
  }
  return watch.seconds();
}

}  // namespace

int main(int argc, char** argv) {
  const Index n = argc > 1 ? std::atol(argv[1]) : 8000, d = argc > 2 ? std::atol(argv[2]) : 8;
  const Index folds = argc > 3 ? std::atol(argv[3]) : 5;
  Random random(1);
  Problem problem;
  problem.x = Matrix(n, d).unaryExpr([&](double) { return random.normal(); });
  problem.y.resize(n);
  for (Index i = 0; i < n; ++i) {
    problem.y(i) = std::sin(problem.x(i, 0)) + std::cos(problem.x(i, d - 1)) + 0.1 * random.normal();
  }
  problem.kernel =
      Kernel::parse(fmt::format("se(ard, l={}, s2=1:fixed)", 1.5 * std::sqrt(static_cast<double>(d)))).bind(d);
  problem.noise.variance = 0.02;
  problem.folds = Folds::random(n, folds, 1);
  ComputeOptions compute;
  compute.threads = available_threads();
  const Index p = d + 1;

  Work together_work;
  const double together = walk(problem, {.rank = 500, .columns = folds * p}, compute, together_work);
  double apart = 0;
  for (const Fold& fold : problem.folds.folds) {
    Problem one = problem;
    one.folds.folds = {fold};
    Work work;
    apart += walk(one, {.rank = 500, .columns = p}, compute, work);
  }
  fmt::print(
      "{} rows, {} inputs, {} folds, {} sensitivities each: together {:.2f} s, one after the other {:.2f} s, ratio "
      "{:.2f}\n",
      n, d, folds, p, together, apart, together / apart);
}
