/// Small factorisations on an emulated device against those of the host.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "backends/dense_kernel.hpp"
#include "evaluation/neighbour_variance.hpp"
#include "fake/fake_device.hpp"
#include "gpcv/kernel.hpp"
#include "operators/neighbour_solver.hpp"
#include "support/random_kernel.hpp"

namespace gpcv {
namespace {

const ComputeOptions on_fake{.backend = "cuda", .threads = 2};

/// The definition, for one point; the neighbours by sorting.
double explained(const KernelProgram& program, const Matrix& x, const Matrix& point, double noise, Index neighbours) {
  const Vector k = dense_kernel(program, x, point, 1).col(0);
  const Vector worth = k.array().square() / (kernel_diagonal(program, x).array() + noise);
  std::vector<Index> order(static_cast<std::size_t>(x.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return worth(a) > worth(b); });
  order.resize(static_cast<std::size_t>(neighbours));
  Matrix a = dense_kernel(program, x(order, Eigen::all), 1);
  a.diagonal().array() += noise;
  const Vector near = k(order);
  return near.dot(a.llt().solve(near));
}

TEST(CudaNeighbours, MatchTheDefinition) {
  Random random(7);
  const Matrix x = random_inputs(random, 200, 3), points = random_inputs(random, 3, 3);
  for (const char* text : {"se(l=[1,2,1.5])", "matern12*rq + lp(on=[0], p=0.7)", "linear + const"}) {
    const KernelProgram program = Kernel::parse(text).bind(3).lower();
    for (const Index neighbours : {1, 63, 64, 65, 150, 200}) {
      const Vector got = make_neighbour_solver(program, x, 0.05, on_fake)->explained(points, neighbours);
      for (Index p = 0; p < points.rows(); ++p) {
        const double expected = explained(program, x, points.row(p), 0.05, neighbours);
        EXPECT_NEAR(got(p), expected, 1e-9 * expected) << text << ' ' << neighbours;
      }
    }
  }
}

TEST(CudaNeighbours, OfEqualOnesTheFirstAreTaken) {
  Random random(8);
  // Every point four times, the copies apart: any choice of 50 splits some of the four.
  const Matrix some = random_inputs(random, 40, 2);
  const Matrix x = some.replicate(4, 1), points = random_inputs(random, 2, 2);
  const KernelProgram program = Kernel::parse("matern32").bind(2).lower();
  const Vector got = make_neighbour_solver(program, x, 0.1, on_fake)->explained(points, 50);
  for (Index p = 0; p < 2; ++p) {
    const double expected = explained(program, x, points.row(p), 0.1, 50);
    EXPECT_NEAR(got(p), expected, 1e-9 * expected);
  }
  // A kernel without a neighbourhood: all are worth the same, or nothing.
  const KernelProgram flat = Kernel::parse("const(s2=2)").bind(2).lower();
  EXPECT_NEAR(make_neighbour_solver(flat, x, 0.1, on_fake)->explained(points, 7)(1), 4 * 7 / (2 * 7 + 0.1), 1e-9);
  const KernelProgram narrow = Kernel::parse("se(l=1e-5)").bind(2).lower();
  EXPECT_EQ(make_neighbour_solver(narrow, x, 0.1, on_fake)->explained(points, 7)(1), 0);
}

TEST(CudaNeighbours, OfMorePointsThanThereIsRoomForTheSameAreTaken) {
  Random random(11);
  // What 10 neighbours leave room for is one tile.
  const Matrix x = random_inputs(random, 4500, 2), points = random_inputs(random, 2, 2);
  const KernelProgram program = Kernel::parse("matern32").bind(2).lower();
  const Vector got = make_neighbour_solver(program, x, 0.1, on_fake)->explained(points, 10);
  for (Index p = 0; p < 2; ++p) {
    const double expected = explained(program, x, points.row(p), 0.1, 10);
    EXPECT_NEAR(got(p), expected, 1e-9 * expected);
  }
}

TEST(CudaNeighbours, ABadMatrixIsNanAndLeavesTheOthersAlone) {
  Random random(8);
  Matrix x = random_inputs(random, 140, 2), points(3, 2);
  x.topRows(70).rowwise() = x.row(0).eval();  // seventy times the same point
  x.bottomRows(70).array() += 100;
  points << x.row(100), x.row(0), x.row(100);
  const KernelProgram program = Kernel::parse("matern12").bind(2).lower();
  const Vector bad = make_neighbour_solver(program, x, 0, on_fake)->explained(points, 70);
  EXPECT_TRUE(std::isnan(bad(1)));
  EXPECT_NEAR(bad(0), 1, 1e-9);
  EXPECT_EQ(bad(0), bad(2));
  EXPECT_NEAR(make_neighbour_solver(program, x, 0.5, on_fake)->explained(points, 70)(1), 70 / 70.5, 1e-9);
}

TEST(CudaNeighbours, WithLittleMemoryFewerAtATime) {
  Random random(9);
  const Matrix x = random_inputs(random, 150, 2), points = random_inputs(random, 9, 2);
  const KernelProgram program = Kernel::parse("matern32").bind(2).lower();
  const auto solver = make_neighbour_solver(program, x, 0.1, on_fake);
  const Vector all = solver->explained(points, 100);
  setenv("GPCV_FAKE_MEMORY", "400000", 1);
  const Vector few = solver->explained(points, 100);
  unsetenv("GPCV_FAKE_MEMORY");
  EXPECT_EQ(few, all);
}

TEST(CudaNeighbours, VariancesOfAModelAreThoseOfTheProcessor) {
  Random random(10);
  const KernelProgram program = Kernel::parse("se(l=[1,2])").bind(2).lower();
  const Matrix x = random_inputs(random, 150, 2);
  const Matrix points = random_inputs(random, 7, 2);
  const Vector host = NeighbourVariance(program, x, 0.02, 90, {.backend = "simd", .threads = 2}).variance(points);
  const Vector device = NeighbourVariance(program, x, 0.02, 90, on_fake).variance(points);
  EXPECT_LT((device - host).cwiseAbs().maxCoeff(), 1e-9);
}

}  // namespace
}  // namespace gpcv
