#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>

#include "gpcv/error.hpp"
#include "gpcv/solver.hpp"
#include "support/random_kernel.hpp"

namespace gpcv {
namespace {

Matrix random_definite(Random& random, Index n) {
  const Matrix a = random_inputs(random, n, n);
  return a * a.transpose() + 0.1 * Matrix::Identity(n, n);
}

TEST(Cholesky, SolvesInvertsAndTakesDeterminants) {
  Random random(61);
  for (Index n : {1, 2, 7, 48, 49, 97, 130, 301}) {
    const Matrix c = random_definite(random, n);
    const Matrix b = random_inputs(random, n, 3);
    Cholesky factor(c, 2);
    EXPECT_EQ(factor.jitter(), 0);
    EXPECT_LT((c * factor.solve(b) - b).norm(), 1e-9 * b.norm());
    EXPECT_NEAR(factor.half_solve(b).squaredNorm(), (b.array() * factor.solve(b).array()).sum(),
                1e-8 * b.squaredNorm() * n);
    EXPECT_LT((factor.multiply_factor(factor.half_solve(b)) - b).norm(), 1e-10 * b.norm());
    EXPECT_NEAR(factor.log_determinant(), c.ldlt().vectorD().array().log().sum(), 1e-9 * n);
    const Matrix inverse = std::move(factor).take_inverse();
    EXPECT_LT((inverse * c - Matrix::Identity(n, n)).norm(), 1e-8 * n);
    EXPECT_EQ(inverse, inverse.transpose());
  }
}

TEST(Cholesky, MultipliesByADiagonalBlockOfTheFactor) {
  Random random(63);
  const Matrix c = random_definite(random, 12), b = random_inputs(random, 5, 2);
  const Matrix l = c.llt().matrixL();
  EXPECT_LT((Cholesky(c).multiply_factor(b, 4) - l.block(4, 4, 5, 5) * b).norm(), 1e-12);
}

TEST(Cholesky, UsesTheLowerTriangleOnly) {
  Random random(62);
  const Matrix c = random_definite(random, 20);
  Matrix half = c;
  half.triangularView<Eigen::StrictlyUpper>().setConstant(1e9);
  const Vector b = Vector::Ones(20);
  EXPECT_EQ(Cholesky(half).solve(b), Cholesky(c).solve(b));
}

TEST(Cholesky, ReportsTheJitterASingularMatrixNeeded) {
  const Matrix ones = Matrix::Ones(50, 50);
  const Cholesky factor(ones);
  EXPECT_GT(factor.jitter(), 0);
  EXPECT_LE(factor.jitter(), 1e-8);
  // What was factorised is the matrix plus exactly that jitter.
  const Matrix l = factor.multiply_factor(Matrix::Identity(50, 50));
  EXPECT_LT((l * l.transpose() - ones - factor.jitter() * Matrix::Identity(50, 50)).norm(), 1e-12);
}

TEST(Cholesky, RefusesWhatNoJitterCanSave) {
  Matrix indefinite = Matrix::Identity(5, 5);
  indefinite(3, 3) = -1;
  EXPECT_THROW(Cholesky{indefinite}, NumericalError);
  Matrix broken = Matrix::Identity(5, 5);
  broken(2, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Cholesky{broken}, NumericalError);
  EXPECT_THROW(Cholesky{Matrix(2, 3)}, InputError);
}

TEST(Cholesky, AnEmptyMatrixIsFine) {
  const Cholesky factor{Matrix(0, 0)};
  EXPECT_EQ(factor.log_determinant(), 0);
  EXPECT_EQ(factor.solve(Matrix(0, 2)).cols(), 2);
}

}  // namespace
}  // namespace gpcv
