/// The whole backend on an emulated device: generated kernels against the definition, and what happens when a device
/// fails.
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "fake/fake_device.hpp"
#include "gpcv/error.hpp"
#include "gpcv/operator.hpp"
#include "kernels/evaluate.hpp"
#include "support/random_kernel.hpp"

namespace gpcv {
namespace {

ComputeOptions options(Precision precision) { return {.backend = "cuda", .precision = precision, .threads = 2}; }

/// Products of the operator against those of the definition, pair by pair.
struct Expected {
  Matrix y, j;
  Vector g;
  double k_norm = 0, d_norm = 0;

  Expected(const KernelProgram& program, const Matrix& x1, const Matrix& x2, const Matrix& u, const Matrix& v)
      : y(Matrix::Zero(x1.rows(), v.cols())),
        j(Matrix::Zero(x1.rows(), v.cols() * program.parameters)),
        g(Vector::Zero(program.parameters)) {
    PairEvaluator pair(program);
    std::vector<double> gradient(static_cast<std::size_t>(program.parameters));
    for (Index a = 0; a < x1.rows(); ++a) {
      for (Index b = 0; b < x2.rows(); ++b) {
        const Vector p = x1.row(a), q = x2.row(b);
        const double k = pair.gradient(p.data(), q.data(), gradient);
        y.row(a) += k * v.row(b);
        k_norm += k * k;
        for (Index t = 0; t < program.parameters; ++t) {
          const double d = gradient[static_cast<std::size_t>(t)];
          j.row(a).segment(t * v.cols(), v.cols()) += d * v.row(b);
          g(t) += d * u.row(a).dot(v.row(b));
          d_norm += d * d;
        }
      }
    }
    k_norm = std::sqrt(k_norm);
    d_norm = std::sqrt(d_norm);
  }
};

void expect_products(const std::string& text, const Matrix& x1, const Matrix& x2, bool symmetric, Index columns,
                     Precision precision, Random& random) {
  const KernelProgram program = Kernel::parse(text).bind(x1.cols()).lower();
  const auto k =
      symmetric ? make_operator(program, x1, options(precision)) : make_operator(program, x1, x2, options(precision));
  const Matrix v = random_inputs(random, x2.rows(), columns), u = random_inputs(random, x1.rows(), columns);
  const Expected expected(program, x1, x2, u, v);
  Matrix y = Matrix::Constant(x1.rows(), columns, 7), j = Matrix::Constant(x1.rows(), columns * program.parameters, 7);
  Vector g(program.parameters);
  k->apply(v, y);
  k->derivatives(v, j);
  k->contract(u, v, g);
  const double tolerance = precision == Precision::double_ ? 1e-12 : 2e-6;
  const double scale = expected.k_norm + expected.d_norm;
  EXPECT_LT((y - expected.y).norm(), tolerance * expected.k_norm * v.norm()) << text;
  EXPECT_LT((j - expected.j).norm(), tolerance * scale * v.norm()) << text;
  EXPECT_LT((g - expected.g).norm(), tolerance * scale * u.norm() * v.norm()) << text;
}

TEST(CudaEmulated, EveryKernelMatchesTheDefinition) {
  Random random(1);
  const Matrix x1 = random_inputs(random, 150, 3), x2 = random_inputs(random, 203, 3);
  for (const char* text : {"se(l=[1,2,0.7]) + lp(p=0.9)*const", "matern12(l=[1,2,3])*rq(alpha=0.7) + periodic(p=1.3)",
                           "matern32 + matern52*linear(l=[1,1.5,2])"}) {
    expect_products(text, x1, x2, false, 3, Precision::double_, random);
    expect_products(text, x1, x1, true, 3, Precision::mixed, random);
  }
}

TEST(CudaEmulated, RandomExpressionsMatchTheDefinition) {
  Random random(2);
  for (int trial = 0; trial < 6; ++trial) {
    const Index d = 1 + static_cast<Index>(random.below(5));
    const std::string text = random_expression(random, d, 1 + static_cast<int>(random.below(3)));
    const Matrix x1 = random_inputs(random, 1 + static_cast<Index>(random.below(300)), d);
    const Matrix x2 = random_inputs(random, 1 + static_cast<Index>(random.below(700)), d);
    const Index columns = 1 + static_cast<Index>(random.below(5));
    expect_products(text, x1, x2, false, columns, trial % 2 == 0 ? Precision::double_ : Precision::single, random);
  }
}

TEST(CudaEmulated, ManyAndOddColumnsArePassedInBlocks) {
  Random random(3);
  const Matrix x = random_inputs(random, 97, 2);
  for (Index columns : {1, 7, 31, 49, 64, 101}) {
    expect_products("se(ard)", x, x, true, columns, Precision::mixed, random);
  }
  expect_products("se", random_inputs(random, 1, 1), random_inputs(random, 1030, 1), false, 1, Precision::mixed,
                  random);
}

TEST(CudaEmulated, DistancesFromProductsAndFromDifferencesAgree) {
  Random random(4);
  const Matrix near = random_inputs(random, 130, 4), far = (near.array() * 100 + 1000).matrix();
  for (const char* text : {"se(ard)", "matern52", "rq", "matern12", "lp"}) {
    const KernelProgram program = Kernel::parse(text).bind(4).lower();
    for (const Matrix& x : {near, far}) {
      const Matrix v = random_inputs(random, 130, 2), none(130, 0);
      const Expected expected(program, x, x, v, v);
      Matrix y(130, 2);
      make_operator(program, x, options(Precision::mixed))->apply(v, y);
      EXPECT_LT((y - expected.y).norm(), 4e-6 * expected.k_norm * v.norm()) << text;
    }
  }
}

// An error of low rank grows with n, one without structure with its root: only the latter is harmless in large systems.
TEST(CudaEmulated, RoundingErrorsOfDistancesHaveNoStructure) {
  Random random(14);
  const Index n = 400;
  const Matrix x = random_inputs(random, n, 8);
  const KernelProgram program = Kernel::parse("se(l=1.2)").bind(8).lower();
  const Matrix unit = Matrix::Identity(n, n);
  Matrix k(n, n), exact(n, n);
  make_operator(program, x, options(Precision::mixed))->apply(unit, k);
  make_operator(program, x, {.backend = "reference", .precision = Precision::double_})->apply(unit, exact);
  Matrix error = (k.array() / exact.array()).log();
  // Errors of single points, δ_i + δ_j, leave the matrix positive definite.
  const Vector of_row = error.rowwise().mean();
  error.colwise() -= of_row;
  const Eigen::RowVectorXd of_column = error.colwise().mean();
  error.rowwise() -= of_column;
  const double size = error.norm() / static_cast<double>(n);
  EXPECT_LT(size, 5e-7);
  const double largest = Eigen::BDCSVD<Matrix>(error).singularValues()(0);
  // Of a random matrix: 2 σ √n. It was 2.1 times that with the norms added first, and is 1.2 times that.
  EXPECT_LT(largest, 1.6 * 2 * size * std::sqrt(static_cast<double>(n)));
}

TEST(CudaEmulated, ManyWeightsTravelByAddress) {
  Random random(5);
  const Index d = 195;
  const Matrix x = random_inputs(random, 20, d) * 0.1;
  const KernelProgram program = Kernel::parse("lp(l=3)").bind(d).lower();
  const Matrix v = random_inputs(random, 20, 1);
  const Expected expected(program, x, x, v, v);
  Matrix y(20, 1);
  make_operator(program, x, options(Precision::double_))->apply(v, y);
  EXPECT_LT((y - expected.y).norm(), 1e-12 * expected.k_norm * v.norm());
}

TEST(CudaEmulated, TooLittleMemoryMeansFewerColumnsAndThenAnError) {
  Random random(6);
  const Matrix x = random_inputs(random, 4000, 2), v = random_inputs(random, 4000, 24);
  const KernelProgram program = Kernel::parse("se").bind(2).lower();
  const auto k = make_operator(program, x, options(Precision::double_));
  Matrix plenty(4000, 24), little(4000, 24);
  // The points take 64 KiB; a column takes 32 KiB as right-hand side and as much as result, for each split.
  setenv("GPCV_FAKE_MEMORY", "1600000", 1);
  k->apply(v, little);
  setenv("GPCV_FAKE_MEMORY", "1000", 1);
  EXPECT_THROW(make_operator(program, Matrix::Zero(4000000, 2), options(Precision::double_)), DeviceError);
  unsetenv("GPCV_FAKE_MEMORY");
  k->apply(v, plenty);
  EXPECT_LT((plenty - little).norm(), 1e-13 * plenty.norm());
}

TEST(CudaEmulated, ALostDeviceIsAnErrorWithItsReason) {
  Random random(7);
  const Matrix x = random_inputs(random, 50, 2), v = random_inputs(random, 50, 1);
  const auto k = make_operator(Kernel::parse("se").bind(2).lower(), x, options(Precision::double_));
  Matrix y(50, 1);
  setenv("GPCV_FAKE_LAUNCHES", "0", 1);
  try {
    k->apply(v, y);
    ADD_FAILURE() << "no error";
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("CUDA_ERROR_LAUNCH_FAILED"), std::string::npos) << error.what();
  }
  unsetenv("GPCV_FAKE_LAUNCHES");
  k->apply(v, y);
}

TEST(CudaEmulated, AutoLeavesSmallProductsToTheProcessor) {
  EXPECT_EQ(resolve_backend("auto"), "cuda");
  Random random(8);
  const Matrix x = random_inputs(random, 50, 2), v = random_inputs(random, 50, 1);
  Matrix y(50, 1);
  setenv("GPCV_FAKE_LAUNCHES", "0", 1);
  make_operator(Kernel::parse("se").bind(2).lower(), x, {})->apply(v, y);
  unsetenv("GPCV_FAKE_LAUNCHES");
}

}  // namespace
}  // namespace gpcv
