#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <numeric>

#include "solvers/conjugate_gradients.hpp"
#include "solvers/preconditioner/earlier_neighbours.hpp"
#include "solvers/preconditioner/fold_preconditioner.hpp"
#include "solvers/preconditioner/pivoted_cholesky.hpp"
#include "support/dense_folds.hpp"

namespace gpcv {
namespace {

TEST(PivotedCholesky, FullRankReproducesTheMatrix) {
  Random random(131);
  const Matrix x = random_inputs(random, 150, 2);
  const KernelProgram program = Kernel::parse("matern12(l=0.5) + linear").bind(2).lower();
  const Matrix k = dense_kernel(program, x, 1);
  const Matrix f = pivoted_cholesky(program, x, 150, 1, 2);
  EXPECT_LT((f * f.transpose() - k).norm(), 1e-8 * k.norm());
}

TEST(PivotedCholesky, ErrorFallsWithTheRankAndStaysPositive) {
  Random random(132);
  const Matrix x = random_inputs(random, 400, 2);
  const KernelProgram program = Kernel::parse("se(l=0.7)").bind(2).lower();
  const Matrix k = dense_kernel(program, x, 1);
  double previous = k.trace();
  for (Index rank : {10, 40, 160}) {
    const Matrix f = pivoted_cholesky(program, x, rank, 1, 2);
    const Matrix left = k - f * f.transpose();
    EXPECT_LT(left.trace(), previous);
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix>(left).eigenvalues().minCoeff(), -1e-8);
    previous = left.trace();
  }
  // No worse than three times the best error of half the rank.
  const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(k).eigenvalues();
  EXPECT_LT(previous, 3 * eigenvalues.head(400 - 80).sum() + 1e-9);
}

TEST(PivotedCholesky, StopsWhenNothingIsLeft) {
  Matrix x = Matrix::Constant(50, 1, 2.0);
  x(7, 0) = 5;
  const Matrix f = pivoted_cholesky(Kernel::parse("se(l=0.1)").bind(1).lower(), x, 40, 1, 1);
  EXPECT_EQ(f.cols(), 2);
  EXPECT_TRUE(f.allFinite());
}

TEST(FoldPreconditioner, IsTheInverseOfItsOwnApproximation) {
  Random random(133);
  const Index n = 90;
  const Matrix x = random_inputs(random, n, 2);
  const Vector noise = random_noise(random, n, 0.2);
  const KernelProgram program = Kernel::parse("se").bind(2).lower();
  for (const Folds& folds : assorted_folds(n)) {
    const FoldSystem system(program, x, noise, folds, {.threads = 2});
    // With all of K in the factor, it inverts the fold's own matrix.
    const FoldPreconditioner preconditioner(system, n, 1, 2, 0);
    std::vector<int> of;
    for (int k = 0; k < folds.size(); ++k) of.insert(of.end(), {k, k});
    Matrix r = random_inputs(random, n, static_cast<Index>(of.size()));
    system.mask(r, of);
    Matrix z(n, r.cols()), back(n, r.cols());
    preconditioner.apply(r, of, z);
    system.apply(z, of, back, Arithmetic::exact);
    EXPECT_LT((back - r).norm(), 1e-6 * r.norm()) << folds.description;
  }
}

TEST(FoldPreconditioner, CutsTheIterationsOfHardProblems) {
  Random random(134);
  const Index n = 600;
  const Matrix x = random_inputs(random, n, 2);
  const Vector noise = Vector::Constant(n, 1e-4);
  const FoldSystem system(Kernel::parse("se").bind(2).lower(), x, noise, Folds::random(n, 5, 1), {.threads = 2});
  std::vector<int> of{0, 1, 2, 3, 4};
  Matrix b = random_inputs(random, n, 1).replicate(1, 5);
  system.mask(b, of);
  auto solve = [&](const Preconditioner* preconditioner, Matrix& z) {
    return solve_cg(system, preconditioner, b, of, z, {.tolerance = 1e-6, .max_iterations = 1000});
  };
  Matrix plain = Matrix::Zero(n, 5), helped = Matrix::Zero(n, 5);
  const FoldPreconditioner preconditioner(system, 150, 1, 2);
  const CgSummary without = solve(nullptr, plain), with = solve(&preconditioner, helped);
  EXPECT_EQ(with.status, Status::converged);
  EXPECT_LT(with.iterations, without.iterations / 5);
}

TEST(FoldPreconditioner, CgMatchesCholeskyOnEveryFold) {
  Random random(135);
  const Index n = 300;
  const Matrix x = random_inputs(random, n, 3);
  const Vector noise = random_noise(random, n, 1e-3), y = random_inputs(random, n, 1);
  const KernelProgram program = Kernel::parse("matern52(ard) + const").bind(3).lower();
  for (const Folds& folds : assorted_folds(n)) {
    const FoldSystem system(program, x, noise, folds, {.threads = 2});
    const FoldPreconditioner preconditioner(system, 60, 1, 2);
    std::vector<int> of;
    for (int k = 0; k < folds.size(); ++k) of.push_back(k);
    Matrix b = system.sorted(y).replicate(1, folds.size());
    system.mask(b, of);
    Matrix z = Matrix::Zero(n, folds.size()), predicted(n, folds.size());
    EXPECT_EQ(solve_cg(system, &preconditioner, b, of, z, {.tolerance = 1e-10}).status, Status::converged);
    system.predict(z, of, predicted, Arithmetic::exact);
    const Matrix means = system.unsorted(predicted);
    const Matrix k = dense_kernel(program, x, 1);
    for (Index f = 0; f < folds.size(); ++f) {
      const Fold& fold = folds.folds[static_cast<std::size_t>(f)];
      Matrix c = k(fold.training, fold.training);
      c.diagonal() += noise(fold.training);
      const Vector expected = k(fold.validation, fold.training) * Vector(c.llt().solve(y(fold.training)));
      const Vector found = means(fold.validation, f);
      EXPECT_LT((found - expected).norm(), 1e-7 * (1 + expected.norm())) << folds.description;
    }
  }
}

TEST(EarlierNeighbours, AreTheMostCorrelatedOfTheRowsBefore) {
  Random random(136);
  const Index n = 1500, width = 7;
  const Matrix x = random_inputs(random, n, 2);
  const KernelProgram program = Kernel::parse("matern32 + linear").bind(2).lower();
  const EarlierNeighbours near = earlier_neighbours(program, x, width, RowShare({{0, n}}, 1024, nullptr), 2);
  const Matrix k = dense_kernel(program, x, 1);
  for (const Index i : {0, 3, 7, 64, 1023, 1024, 1499}) {
    std::vector<Index> rows(static_cast<std::size_t>(i));
    std::iota(rows.begin(), rows.end(), Index{0});
    std::stable_sort(rows.begin(), rows.end(),
                     [&](Index a, Index b) { return k(i, a) * k(i, a) / k(a, a) > k(i, b) * k(i, b) / k(b, b); });
    rows.resize(static_cast<std::size_t>(std::min(i, width)));
    std::sort(rows.begin(), rows.end());
    std::vector<Index> found;
    for (Index m = 0; m < near.count[static_cast<std::size_t>(i)]; ++m) found.push_back(near.at(i, m));
    EXPECT_EQ(found, rows) << i;
  }
}

TEST(FoldPreconditioner, WithAllNeighboursIsTheInverse) {
  Random random(137);
  const Index n = 90;
  const Matrix x = random_inputs(random, n, 2);
  const Vector noise = random_noise(random, n, 0.2);
  const KernelProgram program = Kernel::parse("se + matern12(l=0.1)").bind(2).lower();
  for (const Index rank : {1, 20}) {
    for (const Folds& folds : assorted_folds(n)) {
      const FoldSystem system(program, x, noise, folds, {.threads = 2});
      // E = K − F Fᵀ + D is inverted exactly, up to the single precision of G.
      const FoldPreconditioner preconditioner(system, rank, 1, 2, 0, n);
      std::vector<int> of;
      for (int k = 0; k < folds.size(); ++k) of.insert(of.end(), {k, k});
      Matrix r = random_inputs(random, n, static_cast<Index>(of.size()));
      system.mask(r, of);
      Matrix z(n, r.cols()), back(n, r.cols());
      preconditioner.apply(r, of, z);
      system.apply(z, of, back, Arithmetic::exact);
      EXPECT_LT((back - r).norm(), 1e-4 * r.norm()) << folds.description << ", rank " << rank;
    }
  }
}

/// Iterations of conjugate gradients for one random vector in every fold.
Index iterations_of(const FoldSystem& system, Index rank, Index neighbours) {
  Random random(1);
  std::vector<int> of(static_cast<std::size_t>(system.systems()));
  std::iota(of.begin(), of.end(), 0);
  Matrix b = random_inputs(random, system.rows(), 1).replicate(1, system.systems());
  system.mask(b, of);
  Matrix z = Matrix::Zero(b.rows(), b.cols());
  const FoldPreconditioner preconditioner(system, rank, 1, 2, 0.003, neighbours);
  const CgSummary summary = solve_cg(system, &preconditioner, b, of, z, {.tolerance = 1e-6, .max_iterations = 3000});
  EXPECT_EQ(summary.status, Status::converged);
  return summary.iterations;
}

TEST(FoldPreconditioner, NeighboursSeeWhatALowRankCannot) {
  // The short process has a length of ten rows: no factor of a few columns resolves it.
  Random random(138);
  const Index n = 1200;
  const Matrix x = random_inputs(random, n, 1);
  const KernelProgram program = Kernel::parse("se(s2=1, l=0.5) + matern32(s2=0.1, l=0.008)").bind(1).lower();
  const FoldSystem system(program, x, Vector::Constant(n, 1e-3), Folds::random(n, 5, 1), {.threads = 2});
  EXPECT_LT(iterations_of(system, 40, 20), iterations_of(system, 40, 0) / 5);
}

TEST(FoldPreconditioner, NeighboursDoNoHarmWhereNoiseIsSmall) {
  // The bound of the sums that make S is some 10¹⁵ times its smallest eigenvalue.
  Random random(140);
  const Index n = 1100;
  const Matrix x = random_inputs(random, n, 3);
  const KernelProgram program = Kernel::parse("se(l=0.5)").bind(3).lower();
  const FoldSystem system(program, x, Vector::Constant(n, 1e-10), Folds::random(n, 2, 1), {.threads = 2});
  EXPECT_LE(iterations_of(system, 600, 30), iterations_of(system, 600, 0));
}

TEST(FoldPreconditioner, RoundingOfNeighboursIsHarmless) {
  // Repeated rows without noticeable noise: E of a neighbourhood is singular in double precision.
  Random random(139);
  const Index n = 400;
  Matrix x = random_inputs(random, n, 1);
  x.bottomRows(n / 2) = x.topRows(n / 2).eval();
  const FoldSystem system(Kernel::parse("se").bind(1).lower(), x, Vector::Constant(n, 1e-14), Folds::random(n, 4, 1),
                          {.threads = 2});
  const FoldPreconditioner preconditioner(system, 5, 1, 2, 0, 12);
  std::vector<int> of{0, 1, 2, 3};
  Matrix r = random_inputs(random, n, 4), z(n, 4);
  system.mask(r, of);
  preconditioner.apply(r, of, z);
  EXPECT_TRUE(z.allFinite());
  for (Index c = 0; c < 4; ++c) EXPECT_GT(z.col(c).dot(r.col(c)), 0) << c;
}

}  // namespace
}  // namespace gpcv
