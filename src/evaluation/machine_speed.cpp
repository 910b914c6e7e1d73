#include "evaluation/machine_speed.hpp"

#include <algorithm>
#include <limits>

#include "backends/choice.hpp"
#include "backends/dense_kernel.hpp"
#include "core/clock.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/error.hpp"
#include "gpcv/operator.hpp"
#include "gpcv/solver.hpp"

namespace gpcv {
namespace {

/// Rows of the factorisation, which takes 2 ms on a fast core, and pairs and columns of the product.
constexpr Index factorised_rows = 600, product_columns = 6;
constexpr double product_pairs = 2e7;
/// Repetitions, and the seconds that they take together at least: what other programs take shows only over several
/// slices of a scheduler.
constexpr int fewest_times = 3;
constexpr double least_seconds = 0.02;
/// Faster than the model by more than this is an error of measurement.
constexpr double fastest = 0.25;
/// Preconditioners with neighbours took 1.5 to 2.5 times what the model says, with kernels of one and two parts.
constexpr double construction_factor = 2;
/// What threads may lose to other programs, at most.
constexpr double most_lost = 8;

/// Mean time of the work after a first one, which fills caches and starts threads.
template <class Work>
double mean_seconds(const Work& work) {
  const auto once = [&] {
    try {
      work();
    } catch (const NumericalError&) {
      // Its time tells as much.
    }
  };
  once();
  const Stopwatch watch;
  int times = 0;
  for (; times < fewest_times || watch.seconds() < least_seconds; ++times) once();
  return watch.seconds() / times;
}

ComputeOptions of_threads(ComputeOptions compute, int threads) {
  compute.threads = threads;
  compute.communicator.reset();
  compute.stop = {};
  return compute;
}

/// Of one thread: a short factorisation by several waits for the slowest.
double of_factorisations(const Problem& problem, const ComputeOptions& compute) {
  Matrix x(factorised_rows, problem.x.cols());
  for (Index i = 0; i < x.rows(); ++i) x.row(i) = problem.x.row(i % problem.x.rows());
  Matrix c = dense_kernel(problem.kernel.lower(), x, 1);
  c.diagonal().array() += problem.noise.variance;
  const double real = mean_seconds([&] { const Cholesky factor(c, 1); });
  return real / CostModel({.n = x.rows(), .d = x.cols()}, of_threads(compute, 1)).factor_seconds();
}

double of_products(const Problem& problem, const ComputeOptions& compute) {
  const auto n = static_cast<double>(problem.x.rows());
  const Index rows = std::clamp<Index>(static_cast<Index>(product_pairs / n), 1, problem.x.rows());
  const auto k = make_operator(problem.kernel.lower(), problem.x.topRows(rows), problem.x, compute);
  const Matrix v = Matrix::Constant(problem.x.rows(), product_columns, 1.0);
  Matrix product(rows, product_columns);
  const double real = mean_seconds([&] { k->apply(v, product); });
  return real / CostModel({.n = problem.x.rows(), .d = problem.x.cols()}, compute)
                    .rectangle_seconds(static_cast<double>(rows), product_columns);
}

}  // namespace

Slowness Slowness::at_least(const Slowness& other) const {
  return {std::max(factorisations, other.factorisations), std::max(products, other.products)};
}

Slowness shown_slowness(const Problem& problem, const ComputeOptions& compute, const Work& work) {
  const CostModel cost(shape_of(problem, problem.folds), compute);
  const auto n = static_cast<double>(problem.x.rows());
  const auto columns = static_cast<double>(problem.folds.size() *
                                           static_cast<Index>(1 + theta_names(problem.kernel, problem.noise).size()));
  const double expected = cost.products_seconds(work.pairs, work.column_passes * columns * n * n);
  constexpr double fewest_passes = 3;
  return {0, work.pairs < fewest_passes * n * n ? 0 : work.product_seconds / expected};
}

double solve_seconds(const CostModel& cost, const Slowness& slowness, const Preconditioning& size, Accuracy accuracy) {
  return construction_factor * slowness.factorisations * cost.preconditioner_seconds(size) +
         slowness.products * cost.solve_seconds(size, 1, accuracy);
}

CheapSolve cheapest_solve(const CostModel& cost, const Slowness& slowness, Accuracy accuracy, Index most) {
  CheapSolve best{{}, std::numeric_limits<double>::infinity()};
  for (const Index rank : {0, 50, 100, 200, 300, 500, 700, 1000, 1400, 2000}) {
    if (rank > most) break;
    for (const Preconditioning& size : cost.preconditioners(rank)) {
      const double seconds = solve_seconds(cost, slowness, size, accuracy);
      if (seconds < best.seconds) best = {size, seconds};
    }
  }
  return best;
}

Slowness measured_slowness(const Problem& problem, const ComputeOptions& compute) {
  Slowness slowness;
  slowness.factorisations = std::max(fastest, of_factorisations(problem, compute));
  // Products of a device take no time beside what starts them.
  const bool here = !on_device(compute, problem.x.rows(), problem.x.rows());
  if (here && compute.backend != "grid") {
    // What several threads lose to other programs, long products show.
    slowness.products = std::max(fastest, of_products(problem, of_threads(compute, std::max(1, compute.threads))));
    const double alone = compute.threads > 1 ? of_products(problem, of_threads(compute, 1)) : slowness.products;
    slowness.factorisations *= std::clamp(slowness.products / alone, 1.0, most_lost);
  }
  if (shared(compute.communicator.get())) {
    double of_rank_0[] = {slowness.factorisations, slowness.products};
    compute.communicator->broadcast_values(0, of_rank_0, 2);
    slowness = {of_rank_0[0], of_rank_0[1]};
  }
  return slowness;
}

}  // namespace gpcv
