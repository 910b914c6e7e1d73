/// The cost of one solve with little noise, to 1e-6, by engine: conjugate gradients with a low-rank factor, with that
/// and a local inverse by neighbours, and block coordinate descent with exact blocks (sketch and project).
///
///     low_noise [rows] [inputs] [kernel] [noise ratio] [engines: rank,near,blocks]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>

#include "backends/dense_kernel.hpp"
#include "backends/registry.hpp"
#include "core/clock.hpp"
#include "core/random.hpp"
#include "core/threads.hpp"
#include "gpcv/kernel.hpp"
#include "gpcv/solver.hpp"
#include "solvers/conjugate_gradients.hpp"
#include "solvers/preconditioner/fold_preconditioner.hpp"
#include "systems/fold_system.hpp"

namespace {

using namespace gpcv;

constexpr double tolerance = 1e-6;

/// A function of the first two inputs with little noise, the other inputs are nearly irrelevant.
struct Table {
  Matrix x;
  Vector y;

  Table(Index n, Index d, double noise) : x(n, d), y(n) {
    Random random(1);
    for (double& value : x.reshaped()) value = random.normal();
    const double deviation = std::sqrt(noise);
    for (Index i = 0; i < n; ++i) {
      y(i) = std::sin(3 * x(i, 0)) * std::cos(2 * x(i, d > 1 ? 1 : 0)) + deviation * random.normal();
    }
  }
};

/// Length 0.7 for the inputs of the function, 5 for the others.
Kernel kernel_of(const std::string& name, Index d) {
  std::string lengths = "l=[";
  for (Index i = 0; i < d; ++i) lengths += fmt::format("{}{}", i > 0 ? "," : "", i < 2 ? 0.7 : 5.0);
  return Kernel::parse(fmt::format("{}(ard, {}])", name, lengths)).bind(d);
}

void report(const std::string& what, double setup, double seconds, double passes, double residual) {
  fmt::print("{:<44} setup {:7.1f} s, solve {:8.1f} s, {:7.1f} passes, residual {:.1e}\n", what, setup, seconds, passes,
             residual);
  std::fflush(stdout);
}

void conjugate_gradients(const Table& table, const KernelProgram& program, double noise, Index rank, Index neighbours,
                         int threads) {
  const ComputeOptions options{.precision = Precision::double_, .threads = threads};
  const FoldSystem system = FoldSystem::whole(program, table.x, Vector::Constant(table.x.rows(), noise), options);
  const Stopwatch setup;
  const FoldPreconditioner preconditioner(system, rank, 1, threads, FoldPreconditioner::usually_negligible, neighbours);
  const double built = setup.seconds();
  Matrix z = Matrix::Zero(table.x.rows(), 1);
  const Stopwatch watch;
  const CgSummary summary = solve_cg(system, &preconditioner, system.sorted(table.y), std::vector<int>{0}, z,
                                     {.tolerance = tolerance, .max_iterations = 1000, .threads = threads});
  report(fmt::format("conjugate gradients, rank {}, neighbours {}", preconditioner.rank(), neighbours), built,
         watch.seconds(), summary.fast_passes + summary.exact_passes, summary.residual);
}

/// Blocks of adjacent rows: halves along the widest input until a block is small enough.
void split(const Matrix& x, std::vector<Index> rows, Index size, std::vector<std::vector<Index>>& blocks) {
  if (static_cast<Index>(rows.size()) <= size) return blocks.push_back(std::move(rows));
  Index widest = 0;
  double most = -1;
  for (Index c = 0; c < x.cols(); ++c) {
    double low = 1e300, high = -1e300;
    for (const Index i : rows) low = std::min(low, x(i, c)), high = std::max(high, x(i, c));
    const double width = (high - low) * (c < 2 ? 1 : 0.1);
    if (width > most) most = width, widest = c;
  }
  const auto middle = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2);
  std::nth_element(rows.begin(), middle, rows.end(), [&](Index a, Index b) { return x(a, widest) < x(b, widest); });
  split(x, {rows.begin(), middle}, size, blocks);
  split(x, {middle, rows.end()}, size, blocks);
}

std::vector<std::vector<Index>> blocks_of(const Matrix& x, Index size, bool adjacent) {
  std::vector<Index> rows(static_cast<std::size_t>(x.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  std::vector<std::vector<Index>> blocks;
  if (adjacent) {
    split(x, rows, size, blocks);
    return blocks;
  }
  Random random(2);
  for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[random.below(i)]);
  for (std::size_t i = 0; i < rows.size(); i += static_cast<std::size_t>(size)) {
    const std::size_t end = std::min(rows.size(), i + static_cast<std::size_t>(size));
    blocks.emplace_back(rows.begin() + static_cast<std::ptrdiff_t>(i), rows.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return blocks;
}

/// Block coordinate descent: z_B += C_BB⁻¹ r_B, r −= C(:, B) of that change. A round over all blocks evaluates n²
/// pairs, twice those of a symmetric product, and counts as two passes.
void block_descent(const Table& table, const KernelProgram& program, double noise, Index size, bool adjacent,
                   int rounds, int threads) {
  const Index n = table.x.rows();
  const ComputeOptions options{.precision = Precision::double_, .threads = threads};
  const std::vector<std::vector<Index>> blocks = blocks_of(table.x, size, adjacent);
  const Stopwatch watch;
  Vector r = table.y;
  const double norm = r.norm();
  int round = 0;
  for (; round < rounds && r.norm() > tolerance * norm; ++round) {
    for (const std::vector<Index>& block : blocks) {
      const Matrix own = table.x(block, Eigen::all);
      Matrix c = dense_kernel(program, own, threads);
      c.diagonal().array() += noise;
      const Vector change = Cholesky(std::move(c), threads).solve(Vector(r(block)));
      Matrix product(n, 1);
      make_backend(program, table.x, own, options)->apply(change, product);
      r -= product.col(0);
      for (std::size_t i = 0; i < block.size(); ++i) r(block[i]) -= noise * change(static_cast<Index>(i));
    }
  }
  report(fmt::format("block descent, {} {} rows", adjacent ? "adjacent" : "random", size), 0, watch.seconds(),
         2.0 * round, r.norm() / norm);
}

}  // namespace

int main(int argc, char** argv) {
  const Index n = argc > 1 ? std::atoll(argv[1]) : 20000;
  const Index d = argc > 2 ? std::atoll(argv[2]) : 3;
  const std::string kernel = argc > 3 ? argv[3] : "matern32";
  const double noise = argc > 4 ? std::atof(argv[4]) : 1e-6;
  const std::string engines = argc > 5 ? argv[5] : "rank,near,blocks";
  const auto asked = [&](const char* engine) { return engines.find(engine) != std::string::npos; };
  const int threads = available_threads();
  const Table table(n, d, noise);
  const KernelProgram program = kernel_of(kernel, d).lower();
  fmt::print("n = {}, {} inputs, {}(ard), noise ratio {:g}, {} threads\n", n, d, kernel, noise, threads);
  const Index rank = std::min<Index>(1000, n / 10);
  if (asked("rank")) conjugate_gradients(table, program, noise, rank, 0, threads);
  if (asked("near")) {
    for (const Index near : {Index{30}, Index{100}, Index{200}}) {
      for (const Index r : {Index{100}, rank}) conjugate_gradients(table, program, noise, r, near, threads);
    }
  }
  if (!asked("blocks")) return 0;
  for (const bool adjacent : {false, true}) {
    block_descent(table, program, noise, std::min<Index>(4000, n / 10), adjacent, 20, threads);
  }
}
