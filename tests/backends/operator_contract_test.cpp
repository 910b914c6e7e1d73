/// What every backend must do, against the pair-by-pair definition of the kernel.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "backends/choice.hpp"
#include "backends/registry.hpp"
#include "gpcv/error.hpp"
#include "kernels/evaluate.hpp"
#include "support/random_kernel.hpp"

namespace gpcv {
namespace {

/// Skipped, with the reason, where a backend has nothing to run on.
class OperatorContract : public testing::Test {
 protected:
  void SetUp() override {
    try {
      resolve_backend(GPCV_BACKEND);
    } catch (const InputError& error) {
      GTEST_SKIP() << error.what();
    }
  }
};

ComputeOptions options(int threads = 2) {
  return {.backend = GPCV_BACKEND, .precision = Precision::double_, .threads = threads};
}

/// K and every ∂K/∂log θ_i, stored.
struct Dense {
  Matrix k;
  std::vector<Matrix> derivatives;

  Dense(const KernelProgram& program, const Matrix& x1, const Matrix& x2) : k(x1.rows(), x2.rows()) {
    derivatives.assign(static_cast<std::size_t>(program.parameters), Matrix(x1.rows(), x2.rows()));
    PairEvaluator pair(program);
    std::vector<double> gradient(derivatives.size());
    for (Index i = 0; i < x1.rows(); ++i) {
      for (Index j = 0; j < x2.rows(); ++j) {
        const Vector a = x1.row(i), b = x2.row(j);
        k(i, j) = pair.gradient(a.data(), b.data(), gradient);
        for (std::size_t t = 0; t < gradient.size(); ++t) derivatives[t](i, j) = gradient[t];
      }
    }
  }
};

double relative_error(const Matrix& found, const Matrix& expected) {
  EXPECT_TRUE(found.allFinite());
  return (found - expected).norm() / (1e-300 + expected.norm());
}

class Case {
 public:
  explicit Case(Random& random)
      : d(1 + static_cast<Index>(random.below(6))),
        rows(1 + static_cast<Index>(random.below(70))),
        cols(1 + static_cast<Index>(random.below(70))),
        columns(1 + static_cast<Index>(random.below(5))),
        text(random_expression(random, d, 1 + static_cast<int>(random.below(3)))),
        program(Kernel::parse(text).bind(d).lower()),
        x1(random_inputs(random, rows, d)),
        x2(random_inputs(random, cols, d)) {}

  Index d, rows, cols, columns;
  std::string text;
  KernelProgram program;
  Matrix x1, x2;
};

constexpr double tolerance = 1e-12;

/// apply, derivatives and contract of one operator against the stored matrices, with random vectors.
void expect_products_match(const KernelOperator& k, const Dense& dense, Index columns, Random& random,
                           const std::string& text) {
  const Matrix v = random_inputs(random, k.cols(), columns), u = random_inputs(random, k.rows(), columns);
  Matrix y(k.rows(), columns), j(k.rows(), k.parameters() * columns);
  Vector g(k.parameters());
  k.apply(v, y);
  k.derivatives(v, j);
  k.contract(u, v, g);
  EXPECT_LT(relative_error(y, dense.k * v), tolerance) << text;
  for (Index t = 0; t < k.parameters(); ++t) {
    const Matrix& derivative = dense.derivatives[static_cast<std::size_t>(t)];
    const Matrix expected = derivative * v;
    const double scale = derivative.norm() + dense.k.norm();
    EXPECT_LT((j.middleCols(t * columns, columns) - expected).norm(), tolerance * scale * v.norm()) << text;
    EXPECT_NEAR(g(t), (u.array() * expected.array()).sum(), tolerance * scale * u.norm() * v.norm()) << text;
  }
}

TEST_F(OperatorContract, RectangularProductsMatchTheDefinition) {
  Random random(41);
  for (int trial = 0; trial < 60; ++trial) {
    const Case c(random);
    const auto k = make_operator(c.program, c.x1, c.x2, options());
    ASSERT_EQ(k->rows(), c.rows);
    ASSERT_EQ(k->cols(), c.cols);
    ASSERT_EQ(k->parameters(), c.program.parameters);
    expect_products_match(*k, Dense(c.program, c.x1, c.x2), c.columns, random, c.text);
  }
}

TEST_F(OperatorContract, SymmetricProductsMatchTheDefinition) {
  Random random(42);
  for (int trial = 0; trial < 60; ++trial) {
    const Case c(random);
    expect_products_match(*make_operator(c.program, c.x1, options()), Dense(c.program, c.x1, c.x1), c.columns, random,
                          c.text);
  }
}

TEST_F(OperatorContract, SinglePrecisionIsCloseToDoubleOrRefused) {
  Random random(47);
  for (int trial = 0; trial < 30; ++trial) {
    const Case c(random);
    for (Precision precision : {Precision::mixed, Precision::single}) {
      ComputeOptions reduced = options();
      reduced.precision = precision;
      if (!computes_in_single(GPCV_BACKEND)) {
        EXPECT_THROW(make_operator(c.program, c.x1, reduced), NotCompiled);
        continue;
      }
      const auto k = make_operator(c.program, c.x1, reduced);
      const Dense dense(c.program, c.x1, c.x1);
      const Matrix v = random_inputs(random, c.rows, 2);
      Matrix y(c.rows, 2), j(c.rows, 2 * c.program.parameters);
      k->apply(v, y);
      k->derivatives(v, j);
      EXPECT_LT((y - dense.k * v).norm(), 2e-5 * dense.k.norm() * v.norm()) << c.text;
      for (Index t = 0; t < c.program.parameters; ++t) {
        const Matrix& expected = dense.derivatives[static_cast<std::size_t>(t)];
        const double scale = expected.norm() + dense.k.norm();
        EXPECT_LT((j.middleCols(2 * t, 2) - expected * v).norm(), 5e-5 * scale * v.norm()) << c.text;
      }
    }
  }
}

TEST_F(OperatorContract, RowsKnownToBeZeroChangeNothing) {
  Random random(46);
  for (Index n : {130, 700}) {
    const Matrix x = random_inputs(random, n, 2);
    const KernelProgram program = Kernel::parse("se(ard) + matern32").bind(2).lower();
    for (Index columns : {1, 3, 11, 140}) {
      Matrix v = random_inputs(random, n, columns);
      std::vector<ZeroRows> zeros;
      const Index step = (columns + 3) / 4;
      for (Index k = 0; k < 4; ++k) {
        const ZeroRows z{k * n / 4, (k + 1) * n / 4, std::min(columns, k * step), std::min(columns, (k + 1) * step)};
        v.block(z.first_row, z.first_column, z.last_row - z.first_row, z.last_column - z.first_column).setZero();
        zeros.push_back(z);
      }
      const auto k = make_backend(program, x, options());
      Matrix plain(n, columns), told(n, columns);
      k->apply(v, plain);
      k->apply(v, told, zeros);
      EXPECT_LT(relative_error(told, plain), 1e-13);
      // Rows that are not wanted may hold anything finite; the others are the same.
      for (ZeroRows& z : zeros) z.unwanted = true;
      k->apply(v, told, zeros);
      EXPECT_TRUE(told.allFinite());
      for (const ZeroRows& z : zeros) {
        told.block(z.first_row, z.first_column, z.last_row - z.first_row, z.last_column - z.first_column) =
            plain.block(z.first_row, z.first_column, z.last_row - z.first_row, z.last_column - z.first_column);
      }
      EXPECT_LT(relative_error(told, plain), 1e-13);
    }
  }
}

TEST_F(OperatorContract, RerunsAreBitIdentical) {
  Random random(43);
  const KernelProgram program = Kernel::parse("se(ard) + lp").bind(2).lower();
  // Large enough for every thread to have work.
  const Matrix x = random_inputs(random, 650, 2), v = random_inputs(random, 650, 3);
  for (int threads : {1, 2, 3}) {
    Matrix first(650, 3), second(650, 3);
    make_operator(program, x, options(threads))->apply(v, first);
    make_operator(program, x, options(threads))->apply(v, second);
    EXPECT_EQ(first, second);
    Vector g1(program.parameters), g2(program.parameters);
    make_operator(program, x, options(threads))->contract(v, v, g1);
    make_operator(program, x, options(threads))->contract(v, v, g2);
    EXPECT_EQ(g1, g2);
  }
}

TEST_F(OperatorContract, ViewsOfLargerBlocksAreAccepted) {
  Random random(44);
  const KernelProgram program = Kernel::parse("se").bind(2).lower();
  const Matrix x = random_inputs(random, 30, 2), v = random_inputs(random, 40, 5);
  Matrix y = Matrix::Constant(50, 5, 7.0);
  make_operator(program, x, options())->apply(v.block(3, 1, 30, 2), y.block(10, 2, 30, 2));
  EXPECT_LT(relative_error(y.block(10, 2, 30, 2), Dense(program, x, x).k * v.block(3, 1, 30, 2)), tolerance);
  EXPECT_TRUE((y.topRows(10).array() == 7.0).all());
  EXPECT_TRUE((y.leftCols(2).array() == 7.0).all());
}

TEST_F(OperatorContract, NothingToDoIsDone) {
  const KernelProgram program = Kernel::parse("se").bind(1).lower();
  const Matrix x = Matrix::Ones(4, 1);
  const auto k = make_operator(program, x, options());
  Matrix v(4, 0), y(4, 0), j(4, 0);
  k->apply(v, y);
  k->derivatives(v, j);
  Vector g = Vector::Constant(2, 5.0);
  k->contract(v, v, g);
  EXPECT_EQ(g, Vector::Zero(2));
  const KernelProgram held = Kernel::parse("se(l=1:fixed, s2=1:fixed)").bind(1).lower();
  const Matrix ones = Matrix::Ones(4, 1);
  Vector none(0);
  make_operator(held, x, options())->contract(ones, ones, none);
}

TEST_F(OperatorContract, OnePointAndEqualPointsWork) {
  std::vector<std::string> texts = family_names();
  texts.emplace_back("se+lp");
  for (const std::string& text : texts) {
    const KernelProgram program = Kernel::parse(text).bind(2).lower();
    for (Index n : {1, 17}) {
      const Matrix x = Matrix::Constant(n, 2, 0.3), v = Matrix::Ones(n, 1);
      Matrix y(n, 1), j(n, program.parameters);
      const auto k = make_operator(program, x, options());
      k->apply(v, y);
      k->derivatives(v, j);
      const Dense dense(program, x, x);
      EXPECT_LT(relative_error(y, dense.k * v), tolerance) << text;
      EXPECT_TRUE(j.allFinite()) << text;
    }
  }
}

TEST_F(OperatorContract, DistancesThatOverflowGiveZero) {
  Matrix x(3, 1);
  x << -1e200, 0, 1e200;
  for (const char* text : {"se", "lp", "matern12", "matern32", "matern52"}) {
    const KernelProgram program = Kernel::parse(text).bind(1).lower();
    Matrix y(3, 1), j(3, program.parameters);
    const auto k = make_operator(program, x, options());
    k->apply(Matrix::Ones(3, 1), y);
    k->derivatives(Matrix::Ones(3, 1), j);
    EXPECT_LT(relative_error(y, Matrix::Ones(3, 1)), tolerance) << text;
    EXPECT_TRUE(j.allFinite()) << text;
  }
}

TEST_F(OperatorContract, WrongShapesAreRefused) {
  const KernelProgram program = Kernel::parse("se").bind(2).lower();
  const Matrix x1 = Matrix::Ones(3, 2), x2 = Matrix::Ones(4, 2);
  const auto k = make_operator(program, x1, x2, options());
  Matrix v(4, 2), y(3, 2), j(3, 4);
  Vector g(2);
  EXPECT_THROW(k->apply(Matrix::Ones(3, 2), y), InputError);
  Matrix narrow(3, 1), few(3, 3);
  Vector long_g(3);
  EXPECT_THROW(k->apply(Matrix::Ones(4, 2), narrow), InputError);
  EXPECT_THROW(k->derivatives(Matrix::Ones(4, 2), few), InputError);
  EXPECT_THROW(k->contract(Matrix::Ones(4, 2), Matrix::Ones(4, 2), g), InputError);
  EXPECT_THROW(k->contract(Matrix::Ones(3, 2), Matrix::Ones(4, 2), long_g), InputError);
}

TEST_F(OperatorContract, InputsAndParametersMustBeFinite) {
  const KernelProgram program = Kernel::parse("se").bind(1).lower();
  Matrix x = Matrix::Ones(3, 1);
  x(1, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(make_operator(program, x, options()), InputError);
  x(1, 0) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(make_operator(program, x, options()), InputError);
  EXPECT_THROW(make_operator(program, Matrix::Ones(3, 2), options()), InputError);
  for (double bad : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    KernelProgram broken = program;
    broken.values[0] = bad;
    EXPECT_THROW(make_operator(broken, Matrix::Ones(3, 1), options()), InputError);
  }
}

}  // namespace
}  // namespace gpcv
