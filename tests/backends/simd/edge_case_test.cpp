// Inputs at the edges: coinciding points, overflowing distances, nothing to do, the caller's floating-point mode.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "backends/simd/dense.hpp"
#include "backends/simd/flush_denormals.hpp"
#include "backends/simd/simd_operator.hpp"
#include "every_target.hpp"
#include "kernels/families/family.hpp"
#include "naive_kernel.hpp"
#include "random_program.hpp"

namespace gpcv::simd {
namespace {

/// The families whose value depends on the difference of two points.
std::vector<Op> stationary() {
  std::vector<Op> ops;
  for (const Family* family : families()) {
    if (family->op != Op::linear && family->op != Op::constant) ops.push_back(family->op);
  }
  return ops;
}

TEST(SimdEdgeCase, CoincidingPointsGiveTheVarianceAndNoNaN) {
  on_every_target([] {
    const Matrix x = Matrix::Constant(40, 2, 0.3), ones = Matrix::Ones(40, 1);
    for (Op op : stationary()) {
      for (Precision precision : {Precision::double_, Precision::mixed}) {
        const KernelProgram program = single_leaf(op, 2, true);
        const SimdOperator k(program, x, x, true, precision, 1);
        Matrix y(40, 1), j(40, program.parameters);
        Vector g(program.parameters);
        k.apply(ones, y);
        k.derivatives(ones, j);
        k.contract(ones, ones, g);
        EXPECT_LT((y.array() - 40 * 1.3).abs().maxCoeff(), 1e-4);
        EXPECT_LT((j.col(0).array() - 40 * 1.3).abs().maxCoeff(), 1e-4);
        // Only the variance matters where all distances are 0.
        EXPECT_EQ(j.rightCols(program.parameters - 1).cwiseAbs().maxCoeff(), 0);
        EXPECT_NEAR(g(0), 1600 * 1.3, 1e-2);
        EXPECT_EQ(g.tail(program.parameters - 1).cwiseAbs().maxCoeff(), 0);
      }
    }
  });
}

TEST(SimdEdgeCase, OverflowingDistancesGiveZeroAndNoNaN) {
  on_every_target([] {
    Matrix x(5, 2);
    for (double far : {1e20, 1e100, 1e160, 1e200, 1e300}) {
      x << 0, 0, far, 1, 2 * far, 0, 3 * far, 2, 1e4 * far, -far;
      const Matrix v = Matrix::Ones(5, 2);
      for (Op op : {Op::se, Op::lp, Op::matern12, Op::matern32, Op::matern52}) {
        for (Precision precision : {Precision::double_, Precision::mixed}) {
          const KernelProgram program = single_leaf(op, 2, true);
          const SimdOperator k(program, x, x, true, precision, 1);
          Matrix y(5, 2), j(5, 2 * program.parameters);
          Vector g(program.parameters);
          k.apply(v, y);
          k.derivatives(v, j);
          k.contract(v, v, g);
          // Each point sees itself alone.
          EXPECT_LT((y.array() - 1.3).abs().maxCoeff(), 1e-6) << far << " op " << static_cast<int>(op);
          EXPECT_EQ(j.rightCols(j.cols() - 2).cwiseAbs().maxCoeff(), 0);
          EXPECT_EQ(g.tail(g.size() - 1).cwiseAbs().maxCoeff(), 0);
        }
      }
    }
  });
}

TEST(SimdEdgeCase, TinyAndHugeParametersGiveFiniteResults) {
  on_every_target([] {
    std::mt19937 random(1);
    const Matrix x = random_points(50, 1, random), v = random_columns(50, 2, random);
    for (Op op : stationary()) {
      for (double length : {1e-30, 1e-8, 1e8, 1e30}) {
        ProgramBuilder b(1);
        const int l = b.slot(length), s2 = b.slot(1), p = b.slot(length), a = b.slot(length);
        const bool periodic = op == Op::lp || op == Op::periodic;
        b.leaf(op, {0}, {l}, s2, periodic ? p : -1, op == Op::rq ? a : -1);
        for (Precision precision : {Precision::double_, Precision::mixed}) {
          const SimdOperator k(b.program(), x, x, true, precision, 1);
          Matrix y(50, 2), j(50, 2 * b.program().parameters);
          Vector g(b.program().parameters);
          k.apply(v, y);
          k.derivatives(v, j);
          k.contract(v, v, g);
          EXPECT_TRUE(y.allFinite() && j.allFinite() && g.allFinite())
              << "op " << static_cast<int>(op) << " length " << length;
        }
      }
    }
  });
}

TEST(SimdEdgeCase, NothingToDo) {
  std::mt19937 random(2);
  const Matrix x = random_points(10, 1, random), none(0, 1), no_columns(10, 0);
  const KernelProgram program = se_plus_lp(1);
  Matrix empty(10, 0);
  Vector g = Vector::Ones(program.parameters);
  const SimdOperator k(program, x, x, true, Precision::mixed, 2);
  k.apply(no_columns, empty);
  k.derivatives(no_columns, empty);
  k.contract(no_columns, no_columns, g);
  EXPECT_EQ(g.cwiseAbs().maxCoeff(), 0);

  // No column points: the product is 0.
  const SimdOperator wide(program, x, none, false, Precision::double_, 1);
  Matrix y = Matrix::Ones(10, 3);
  wide.apply(Matrix(0, 3), y);
  EXPECT_EQ(y.cwiseAbs().maxCoeff(), 0);
  Matrix nothing(0, 3);
  SimdOperator(program, none, x, false, Precision::double_, 1).apply(Matrix::Ones(10, 3), nothing);
}

/// Whether half of the smallest normal number is a number of its own.
template <class T>
bool has_denormals() {
  volatile T x = std::numeric_limits<T>::min();
  x = x / 2;
  return x != 0;
}

TEST(SimdEdgeCase, DenormalNumbersAreZeroInsideTheGuardAlone) {
  if (FloatingPointMode::flush == 0) GTEST_SKIP() << "this processor has no such mode, or none that is known";
  ASSERT_TRUE(has_denormals<float>() && has_denormals<double>());
  {
    const FlushDenormals guard;
    EXPECT_FALSE(has_denormals<float>() || has_denormals<double>());
  }
  EXPECT_TRUE(has_denormals<float>() && has_denormals<double>());
}

TEST(SimdEdgeCase, TheCallersFloatingPointModeIsRestored) {
  std::mt19937 random(3);
  const Matrix x = random_points(100, 1, random), v = random_columns(100, 1, random);
  Matrix y(100, 1);
  SimdOperator(single_leaf(Op::se, 1, false), x, x, true, Precision::mixed, 1).apply(v, y);
  EXPECT_TRUE(has_denormals<float>() && has_denormals<double>());
}

TEST(SimdEdgeCase, ColumnBlocksOfALargerMatrixAreAccepted) {
  std::mt19937 random(4);
  const Matrix x = random_points(90, 2, random);
  const Matrix wide = random_columns(90, 9, random);
  Matrix out = Matrix::Zero(90, 9);
  const SimdOperator k(se_plus_lp(2), x, x, true, Precision::double_, 1);
  k.apply(wide.middleCols(3, 2), out.middleCols(5, 2));
  const Matrix expected = naive_matrices(se_plus_lp(2), x, x).k * wide.middleCols(3, 2);
  EXPECT_LT((out.middleCols(5, 2) - expected).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_EQ(out.leftCols(5).cwiseAbs().maxCoeff(), 0);
  EXPECT_EQ(out.rightCols(2).cwiseAbs().maxCoeff(), 0);
}

}  // namespace
}  // namespace gpcv::simd
