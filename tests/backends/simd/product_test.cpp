// Every product of every precision and instruction set against plain loops.
#include <gtest/gtest.h>

#include "backends/simd/dense.hpp"
#include "backends/simd/simd_operator.hpp"
#include "every_target.hpp"
#include "kernels/families/family.hpp"
#include "naive_kernel.hpp"
#include "random_program.hpp"

namespace gpcv::simd {
namespace {

constexpr Precision precisions[] = {Precision::double_, Precision::mixed, Precision::single};

/// Error of an entry per Σ|K||v|: float coordinates carry 6e-8 of a few length scales into the exponent.
double tolerance(Precision precision) { return precision == Precision::double_ ? 2e-13 : 3e-5; }

/// |got − expected| ≤ tolerance · scale, entry by entry.
void expect_close(const Matrix& got, const Matrix& expected, const Matrix& scale, double tolerance) {
  ASSERT_EQ(got.rows(), expected.rows());
  ASSERT_EQ(got.cols(), expected.cols());
  if (got.size() == 0) return;
  const double worst = ((got - expected).array().abs() / (scale.array() + 1e-300)).maxCoeff();
  EXPECT_TRUE(got.allFinite());
  EXPECT_LE(worst, tolerance);
}

/// What the derivatives of k are measured against: the entries themselves may cancel.
Matrix magnitude(const NaiveMatrices& naive, const Matrix& m) {
  return m.cwiseAbs() + Matrix::Constant(m.rows(), m.cols(), naive.k.cwiseAbs().mean());
}

void check_products(const KernelProgram& program, const Matrix& x1, const Matrix& x2, bool symmetric, Index r,
                    Precision precision, int threads, std::mt19937& random) {
  const NaiveMatrices naive = naive_matrices(program, x1, x2);
  const SimdOperator k(program, x1, x2, symmetric, precision, threads);
  const Matrix v = random_columns(x2.rows(), r, random), u = random_columns(x1.rows(), r, random);
  const Matrix abs_v = v.cwiseAbs(), abs_u = u.cwiseAbs();
  const double tol = tolerance(precision);

  Matrix y = Matrix::Constant(x1.rows(), r, 7);
  k.apply(v, y);
  expect_close(y, naive.k * v, naive.k.cwiseAbs() * abs_v, tol);

  const Index p = program.parameters;
  Matrix j = Matrix::Constant(x1.rows(), p * r, 7);
  Vector g = Vector::Constant(p, 7);
  k.derivatives(v, j);
  k.contract(u, v, g);
  for (Index i = 0; i < p; ++i) {
    SCOPED_TRACE("parameter " + std::to_string(i));
    const Matrix& dk = naive.dk[static_cast<std::size_t>(i)];
    const Matrix scale = magnitude(naive, dk);
    expect_close(j.middleCols(i * r, r), dk * v, scale * abs_v, 10 * tol);
    const double expected = (u.array() * (dk * v).array()).sum();
    EXPECT_NEAR(g(i), expected, 10 * tol * (abs_u.array() * (scale * abs_v).array()).sum());
  }
}

TEST(SimdProduct, EveryLeafMatchesTheFormulas) {
  on_every_target([] {
    std::mt19937 random(1);
    for (const Family* family : families()) {
      const Op op = family->op;
      for (int d : {1, 3}) {
        const Matrix x = random_points(70, d, random);
        for (Precision precision : precisions) {
          SCOPED_TRACE("op " + std::to_string(static_cast<int>(op)) + ", d " + std::to_string(d) + ", precision " +
                       std::to_string(static_cast<int>(precision)));
          check_products(single_leaf(op, d, d == 3), x, x, true, 1, precision, 1, random);
          check_products(single_leaf(op, d, false), x, x, true, 3, precision, 1, random);
        }
      }
    }
  });
}

TEST(SimdProduct, RandomProgramsMatchTheFormulas) {
  on_every_target([] {
    std::mt19937 random(2);
    for (int trial = 0; trial < 60; ++trial) {
      SCOPED_TRACE("trial " + std::to_string(trial));
      const int d = 1 + trial % 4;
      const KernelProgram program = random_program(d, 1 + trial % 5, random);
      const Matrix x1 = random_points(1 + trial * 7 % 90, d, random);
      const Matrix x2 = random_points(1 + trial * 31 % 150, d, random);
      const Precision precision = precisions[trial % 3];
      check_products(program, x1, x2, false, 1 + trial % 9, precision, 1 + trial % 3, random);
      check_products(program, x2, x2, true, 1 + trial * 5 % 13, precision, 1 + trial % 3, random);
    }
  });
}

TEST(SimdProduct, ShapesThatAreMultiplesOfNothing) {
  on_every_target([] {
    std::mt19937 random(3);
    const KernelProgram program = se_plus_lp(2);
    for (Index n : {1, 2, 3, 5, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 200}) {
      SCOPED_TRACE("n " + std::to_string(n));
      const Matrix x = random_points(n, 2, random), x2 = random_points(1 + 200 % (n + 3), 2, random);
      for (Index r : {1, 2, 7, 13}) {
        check_products(program, x, x, true, r, precisions[(n + r) % 3], 1, random);
        check_products(program, x, x2, false, r, precisions[(n + r) % 3], 2, random);
      }
    }
  });
}

TEST(SimdProduct, ManyBlocksAndColumns) {
  std::mt19937 random(4);
  const Matrix x = random_points(1100, 2, random), few = random_points(300, 2, random);
  for (Precision precision : precisions) {
    check_products(se_plus_lp(2), x, x, true, 1, precision, 2, random);
    check_products(single_leaf(Op::matern52, 2, true), x, few, false, 48, precision, 2, random);
    check_products(single_leaf(Op::se, 2, true), x, x, true, 100, precision, 1, random);
  }
}

TEST(SimdProduct, RerunsAreBitIdentical) {
  std::mt19937 random(5);
  const Matrix x = random_points(1100, 2, random), v = random_columns(1100, 5, random);
  const KernelProgram program = se_plus_lp(2);
  for (int threads : {1, 2, 3}) {
    for (Precision precision : precisions) {
      const SimdOperator k(program, x, x, true, precision, threads);
      Matrix y(1100, 5), again(1100, 5), j(1100, 5 * program.parameters), j_again(1100, 5 * program.parameters);
      Vector g(program.parameters), g_again(program.parameters);
      k.apply(v, y);
      k.derivatives(v, j);
      k.contract(v, v, g);
      for (int run = 0; run < 3; ++run) {
        k.apply(v, again);
        k.derivatives(v, j_again);
        k.contract(v, v, g_again);
        EXPECT_TRUE(y == again && j == j_again && g == g_again) << threads << " threads, run " << run;
      }
    }
  }
}

TEST(SimdDense, MatchesTheFormulas) {
  on_every_target([] {
    std::mt19937 random(6);
    for (int trial = 0; trial < 12; ++trial) {
      const int d = 1 + trial % 3;
      const KernelProgram program = random_program(d, 1 + trial % 4, random);
      const Matrix x = random_points(1 + trial * 17, d, random), x2 = random_points(1 + trial * 5, d, random);
      Matrix k(x.rows(), x2.rows());
      assemble(program, x, x2, k, 1 + trial % 2);
      const Matrix expected = naive_matrices(program, x, x2).k;
      expect_close(k, expected, expected.cwiseAbs() + Matrix::Ones(k.rows(), k.cols()), 1e-13);

      const NaiveMatrices naive = naive_matrices(program, x, x);
      Matrix w = random_columns(x.rows(), x.rows(), random);
      w = (w + w.transpose()).eval();
      Matrix lower = w;
      lower.triangularView<Eigen::StrictlyUpper>().setConstant(std::numeric_limits<double>::quiet_NaN());
      Vector g(program.parameters);
      contract_dense(program, x, lower, g, 1 + trial % 2);
      for (Index i = 0; i < g.size(); ++i) {
        const Matrix& dk = naive.dk[static_cast<std::size_t>(i)];
        const double scale = (w.array().abs() * magnitude(naive, dk).array()).sum();
        EXPECT_NEAR(g(i), (w.array() * dk.array()).sum(), 1e-12 * scale);
      }
    }
  });
}

}  // namespace
}  // namespace gpcv::simd
