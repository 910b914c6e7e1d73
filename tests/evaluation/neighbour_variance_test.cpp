/// Variances by neighbours against exact ones, and their independence of everything but the point.
#include "evaluation/neighbour_variance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "backends/dense_kernel.hpp"
#include "evaluation/neighbour_choice.hpp"
#include "gpcv/kernel.hpp"
#include "solvers/factorise.hpp"
#include "support/random_kernel.hpp"

namespace gpcv {
namespace {

constexpr double noise = 0.05;

KernelProgram program_of(const std::string& kernel, Index inputs) { return Kernel::parse(kernel).bind(inputs).lower(); }

Vector exact_variance(const KernelProgram& program, const Matrix& x, const Matrix& points) {
  const Matrix half = factorise(program, x, noise, 2).half_solve(dense_kernel(program, x, points, 2));
  return kernel_diagonal(program, points) - half.colwise().squaredNorm().transpose();
}

Vector near_variance(const KernelProgram& program, const Matrix& x, const Matrix& points, Index neighbours,
                     int threads = 2) {
  return NeighbourVariance(program, x, noise, neighbours, {.threads = threads}).variance(points);
}

TEST(NeighbourVariance, OfCellsIsAnUpperBoundForAllKindsOfKernels) {
  Random random(21);
  const Matrix x = random_inputs(random, 700, 2), points = random_inputs(random, 25, 2);
  for (const char* kernel :
       {"se(l=0.3)", "matern12(l=1)", "periodic(p=0.7)", "se(l=2) * periodic(p=0.7)", "linear + se(l=0.5)", "rq(l=0.5)",
        "se(l=0.2, on=[0]) + matern32(l=0.5, on=[1])", "linear"}) {
    const KernelProgram program = program_of(kernel, 2);
    const Vector exact = exact_variance(program, x, points), prior = kernel_diagonal(program, points);
    double before = std::numeric_limits<double>::infinity();
    for (const Index neighbours : {300, 500, 700}) {
      const Vector near = near_variance(program, x, points, neighbours);
      EXPECT_GE((near - exact).minCoeff(), -1e-9 * prior.maxCoeff()) << kernel << ' ' << neighbours;
      EXPECT_LE((near - prior).maxCoeff(), 0) << kernel;
      EXPECT_LE(near.mean(), before * (1 + 1e-6)) << kernel << ' ' << neighbours;
      before = near.mean();
    }
    EXPECT_LT((near_variance(program, x, points, 700) - exact).cwiseAbs().maxCoeff(), 1e-8 * prior.maxCoeff());
  }
}

TEST(NeighbourVariance, OfAPointDependsOnNoOtherPointAndNotOnThreads) {
  Random random(22);
  const Matrix x = random_inputs(random, 1500, 3), points = random_inputs(random, 100, 3);
  const KernelProgram program = program_of("matern52(l=1)", 3);
  for (const Index neighbours : {100, 400}) {
    const NeighbourVariance estimator(program, x, noise, neighbours, {.threads = 2});
    const Vector all = estimator.variance(points);
    EXPECT_EQ(near_variance(program, x, points, neighbours, 1), all) << neighbours;
    EXPECT_EQ(Vector(estimator.variance(points.colwise().reverse()).reverse()), all) << neighbours;
    for (const Index p : {0, 77, 99}) EXPECT_EQ(estimator.variance(points.row(p))(0), all(p)) << neighbours;
  }
}

TEST(NeighbourVariance, ManyEqualRowsAreNoObstacle) {
  Random random(23);
  const Matrix few = random_inputs(random, 30, 2), points = random_inputs(random, 20, 2);
  const Matrix x = few.replicate(40, 1);
  const KernelProgram program = program_of("se(l=0.5)", 2);
  const Vector exact = exact_variance(program, x, points), near = near_variance(program, x, points, 600);
  EXPECT_GE((near - exact).minCoeff(), -1e-9);
  EXPECT_LT(near.mean(), 1.5 * exact.mean());
  const Matrix same = Matrix::Ones(1000, 2);
  EXPECT_EQ(RowCells(program, same, 8).size(), 1);
  EXPECT_NEAR(near_variance(program, same, same.topRows(1), 500)(0), noise / 500, 1e-4);
}

TEST(RowCells, HoldEachTrainingRowOnceAndFindItAgain) {
  Random random(24);
  Matrix x = random_inputs(random, 1000, 3);
  x.col(1) = x.col(1).unaryExpr([](double v) { return v > 0 ? 1.0 : 0.0; });  // a category
  const RowCells cells(program_of("se(ard)", 3), x, 16);
  Index rows = 0;
  for (Index c = 0; c < cells.size(); ++c) {
    rows += static_cast<Index>(cells.members(c).size());
    EXPECT_LE(cells.members(c).size(), 16u);
    for (const Index i : cells.members(c)) ASSERT_EQ(cells.cell_of(x, i), c);
  }
  EXPECT_EQ(rows, 1000);
  EXPECT_LT(cells.size(), 1000 / 7);
}

TEST(RowCells, AreNarrowWhereTheFunctionVaries) {
  Random random(25);
  const Matrix x = random_inputs(random, 1024, 2);
  const RowCells cells(program_of("se(l=[0.1, 50])", 2), x, 16);
  double narrow = 0, wide = 0;
  for (Index c = 0; c < cells.size(); ++c) {
    const Matrix own = x(cells.members(c), Eigen::all);
    narrow += own.col(0).maxCoeff() - own.col(0).minCoeff();
    wide += own.col(1).maxCoeff() - own.col(1).minCoeff();
  }
  EXPECT_LT(20 * narrow, wide);
}

TEST(NeighbourChoice, MeasuresTheExcessAtNewPoints) {
  Random random(26);
  const Matrix x = random_inputs(random, 2200, 3), points = random_inputs(random, 150, 3);
  for (const char* kernel : {"matern32(l=0.7)"}) {
    const KernelProgram program = program_of(kernel, 3);
    const Vector exact = exact_variance(program, x, points);
    for (const NeighbourExcess& one : measured_excess(program, x, noise, {.threads = 2})) {
      const Vector near = near_variance(program, x, points, one.neighbours);
      const double observed = ((near.array() + noise) / (exact.array() + noise)).sqrt().mean() - 1;
      const double latent = (near.array() / exact.array()).sqrt().mean() - 1;
      EXPECT_NEAR(one.observed, observed, 0.01 + 0.4 * observed) << kernel << ' ' << one.neighbours;
      EXPECT_NEAR(one.latent, latent, 0.02 + 0.4 * latent) << kernel << ' ' << one.neighbours;
    }
  }
}

TEST(NeighbourChoice, TakesFewWhereNoiseHidesTheRest) {
  Random random(27);
  const Matrix x = random_inputs(random, 2500, 2);
  const KernelProgram smooth = program_of("se(l=2)", 2);
  const NeighbourExcess observed = chosen_neighbours(smooth, x, noise, false, {.threads = 2}),
                        latent = chosen_neighbours(smooth, x, noise, true, {.threads = 2});
  EXPECT_EQ(observed.neighbours, 128);
  EXPECT_LE(observed.observed, accepted_excess);
  EXPECT_GT(latent.neighbours, observed.neighbours) << "the function is known far better than one observation";
  EXPECT_EQ(chosen_neighbours(smooth, x, noise, false, {.threads = 1}).neighbours, observed.neighbours);
  EXPECT_EQ(chosen_neighbours(smooth, x.topRows(50), noise, false, {.threads = 1}).neighbours, 50)
      << "all that there are";
}

}  // namespace
}  // namespace gpcv
