/// Cross-validation by a matrix that a device stores, against that of the host. Compiled twice: for the emulated device,
/// and for a real one (GPCV_REAL_DEVICE), without which it skips itself.
#include <gtest/gtest.h>

#include <cstdlib>

#include "backends/choice.hpp"
#include "backends/cuda/driver/device.hpp"
#include "backends/dense_kernel.hpp"
#ifndef GPCV_REAL_DEVICE
#include "fake/fake_device.hpp"
#endif
#include "gpcv/error.hpp"
#include "gpcv/kernel.hpp"
#include "planning/execution_plan.hpp"
#include "solvers/dense_cross_validation.hpp"
#include "solvers/factorise.hpp"
#include "support/random_kernel.hpp"

namespace gpcv {
namespace {

const ComputeOptions on_device{.backend = "cuda", .threads = 2, .solver = Solver::cholesky};
const ComputeOptions on_host{.backend = "simd", .threads = 2, .solver = Solver::cholesky};

class CudaDense : public testing::Test {
 protected:
  void SetUp() override {
    if (!cuda::Device::reason().empty()) GTEST_SKIP() << cuda::Device::reason();
    ASSERT_TRUE(factorises_on_device(on_device, 1)) << "no cuSOLVER or cuBLAS";
  }
};

struct Data {
  Random random{51};
  Matrix x, y;
  KernelProgram program;

  explicit Data(Index n, const char* kernel = "matern32(l=[1,2,1.5]) + linear(s2=0.1)", Index targets = 1)
      : x(random_inputs(random, n, 3)), y(random_inputs(random, n, targets)) {
    program = Kernel::parse(kernel).bind(3).lower();
  }
};

void expect_equal(const Matrix& found, const Matrix& expected, double tolerance, const char* what) {
  ASSERT_EQ(found.rows(), expected.rows()) << what;
  ASSERT_EQ(found.cols(), expected.cols()) << what;
  EXPECT_LT((found - expected).norm(), tolerance * expected.norm()) << what;
}

void expect_same(const DenseCrossValidation& device, const DenseCrossValidation& host, double tolerance = 1e-8) {
  EXPECT_FALSE(device.returned_to_host());
  expect_equal(device.residuals(), host.residuals(), tolerance, "residuals");
  expect_equal(device.variances(), host.variances(), tolerance, "variances");
  expect_equal(device.weights(), host.weights(), tolerance, "weights");
  expect_equal(device.jacobian(true), host.jacobian(true), tolerance, "Jacobian");
  expect_equal(device.fold_weights(1), host.fold_weights(1), tolerance, "weights of a fold");
}

/// Folds of 1, 2, 200 and all other rows of n.
Folds unequal(Index n) {
  Folds folds{n, {}, "unequal"};
  const std::vector<Index> ends{0, 1, 3, 203, n};
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    Fold fold;
    for (Index i = 0; i < n; ++i) {
      // A permutation of the rows, so that none of the folds is a run of them.
      const Index row = i * 7 % n;
      (i >= ends[k] && i < ends[k + 1] ? fold.validation : fold.training).push_back(row);
    }
    folds.folds.push_back(fold);
  }
  return folds;
}

TEST_F(CudaDense, CrossValidationIsTheHosts) {
  // Of two folds of 620 rows each the device factorises the blocks, of the others the host; 620 rows are not a multiple
  // of any tile.
  const Data data(620);
  for (const Folds& folds : {Folds::random(620, 2, 1), Folds::random(620, 5, 1), unequal(620)}) {
    SCOPED_TRACE(folds.description);
    expect_same({data.program, 0.05, data.x, data.y, folds, on_device},
                {data.program, 0.05, data.x, data.y, folds, on_host});
  }
}

TEST_F(CudaDense, LeaveOneOutIsTheHosts) {
  const Data data(60);
  const Folds folds = Folds::random(60, 60, 1);
  expect_same({data.program, 0.05, data.x, data.y, folds, on_device},
              {data.program, 0.05, data.x, data.y, folds, on_host});
}

TEST_F(CudaDense, TriangleIsHalvedUnevenly) {
  // 1300 rows are halved to 1024 and 276, those to 512 and 512.
  const Data data(1300);
  const Folds folds = Folds::random(1300, 3, 1);
  const DenseCrossValidation device(data.program, 1e-3, data.x, data.y, folds, on_device);
  const DenseCrossValidation host(data.program, 1e-3, data.x, data.y, folds, on_host);
  expect_equal(device.residuals(), host.residuals(), 1e-7, "residuals");
  expect_equal(device.variances(), host.variances(), 1e-7, "variances");
}

TEST_F(CudaDense, RepeatedFoldsOfSeveralTargetsShareTheirBlock) {
  const Data data(300, "se(l=1)", 2);
  Folds folds{300, {}, "repeated"};
  Matrix mixture(2, 6);
  for (const Fold& fold : Folds::random(300, 3, 1).folds) {
    folds.folds.push_back(fold);
    folds.folds.push_back(fold);
  }
  mixture << 1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0.5, 1;
  expect_same({data.program, 0.1, data.x, data.y, mixture, folds, on_device},
              {data.program, 0.1, data.x, data.y, mixture, folds, on_host});
}

TEST_F(CudaDense, ASingularMatrixHasTheJitterOfTheHost) {
  Data data(260, "se(l=1)");
  data.x.bottomRows(130) = data.x.topRows(130);
  const Folds folds = Folds::random(260, 4, 1);
  const DenseCrossValidation device(data.program, 1e-300, data.x, data.y, folds, on_device);
  const DenseCrossValidation host(data.program, 1e-300, data.x, data.y, folds, on_host);
  EXPECT_GT(host.jitter(), 0);
  EXPECT_NEAR(device.jitter() / host.jitter(), 1, 1e-12);
  EXPECT_TRUE(device.residuals().allFinite());
}

TEST_F(CudaDense, ChainsAreTheHosts) {
  const Data data(120);
  const Folds folds = Folds::forward_chaining(Vector::LinSpaced(120, 0, 1), 3);
  const DenseCrossValidation device(data.program, 0.05, data.x, data.y, folds, on_device);
  const DenseCrossValidation host(data.program, 0.05, data.x, data.y, folds, on_host);
  expect_equal(device.residuals(), host.residuals(), 1e-12, "residuals");
  expect_equal(device.jacobian(true), host.jacobian(true), 1e-10, "Jacobian");
}

#ifndef GPCV_REAL_DEVICE
TEST_F(CudaDense, WithoutRoomTheHostTakesOver) {
  // A block of this size is not among those that other tests have left to be used again.
  const Data data(800);
  const Folds folds = Folds::random(800, 3, 1);
  setenv("GPCV_FAKE_MEMORY", "3000000", 1);
  const DenseCrossValidation device(data.program, 0.05, data.x, data.y, folds, on_device);
  unsetenv("GPCV_FAKE_MEMORY");
  EXPECT_TRUE(device.returned_to_host());
  const DenseCrossValidation host(data.program, 0.05, data.x, data.y, folds, on_host);
  expect_equal(device.residuals(), host.residuals(), 1e-12, "residuals");
}
#endif

TEST_F(CudaDense, FactorOfAllRowsIsTheHosts) {
  const Data data(400);
  const Matrix points = data.x.topRows(37).array() + 0.3;
  const auto device = make_covariance_factor(data.program, data.x, 0.01, on_device);
  ASSERT_NE(device, nullptr);
  const Cholesky host = factorise(data.program, data.x, 0.01, 2);
  expect_equal(device->solve(data.y), host.solve(data.y), 1e-9, "solution");
  expect_equal(device->half_solve(data.y), host.half_solve(data.y), 1e-9, "half a solution");
  const Matrix half = host.half_solve(dense_kernel(data.program, data.x, points, 2));
  expect_equal(device->explained(data.program, points), half.colwise().squaredNorm().transpose(), 1e-9, "explained");
  EXPECT_EQ(device->jitter(), 0);
}

TEST_F(CudaDense, FewRowsAreTheHostsUnlessFactorisationsOnTheDeviceAreAskedFor) {
  const Data data(50);
  ComputeOptions compute = on_device;
  EXPECT_NE(make_dense_inverse(data.program, data.x, 0.1, compute), nullptr);
  compute.solver = Solver::automatic;
  EXPECT_EQ(make_dense_inverse(data.program, data.x, 0.1, compute), nullptr);
  EXPECT_EQ(make_dense_inverse(data.program, data.x, 0.1, on_host), nullptr);
}

}  // namespace
}  // namespace gpcv
