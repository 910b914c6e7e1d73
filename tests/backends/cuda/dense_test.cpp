/// Cross-validation by a matrix that a device stores, against that of the host. Compiled twice: for the emulated
/// device, and for a real one (GPCV_REAL_DEVICE), without which it skips itself.
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

#ifndef GPCV_REAL_DEVICE
/// A device of the size of an H200 for the plans of one test.
class LargeDevice {
 public:
  explicit LargeDevice(const char* bytes = "149000000000") {
    setenv("GPCV_FAKE_SIZE", "132", 1);
    setenv("GPCV_FAKE_TOTAL", bytes, 1);
  }
  ~LargeDevice() {
    unsetenv("GPCV_FAKE_SIZE");
    unsetenv("GPCV_FAKE_TOTAL");
  }
};

ExecutionPlan training_plan(Index n, double noise, Solver solver = Solver::automatic, std::size_t memory = 1UL << 34) {
  const Shape shape{.n = n,
                    .d = 17,
                    .columns = 5,
                    .folds = 5,
                    .largest_fold = n / 5,
                    .parameters = 18,
                    .free_noise = true,
                    .noise_ratio = noise};
  TrainOptions options;
  options.compute = {.backend = "cuda", .threads = 16, .solver = solver, .memory = memory};
  return plan_training(shape, options);
}

TEST_F(CudaDense, LittleNoiseIsFactorisedAndMuchIsIterated) {
  const LargeDevice device;
  for (const double noise : {1e-10, 1e-8, 1e-6, 1e-5}) {
    const ExecutionPlan plan = training_plan(15600, noise);
    EXPECT_EQ(plan.solver, Solver::cholesky) << noise;
    EXPECT_EQ(plan.reason.find("factorised on the device"), 0U) << plan.reason;
  }
  for (const double noise : {1e-2, 1e-1, 1.0}) EXPECT_EQ(training_plan(36000, noise).solver, Solver::cg) << noise;
  EXPECT_EQ(training_plan(36000, 1e-2, Solver::cholesky).solver, Solver::cholesky);
}

TEST_F(CudaDense, TheHostHoldsNoMatrixOfTheDevice) {
  const LargeDevice device;
  // 100 000 rows take 80 GB there.
  const ExecutionPlan plan = training_plan(100'000, 1e-8, Solver::cholesky);
  EXPECT_LT(plan.total(), 1UL << 32);
  const ExecutionPlan solves =
      plan_solves({.n = 100'000, .d = 17}, {.backend = "cuda", .solver = Solver::cholesky, .memory = 1UL << 32});
  EXPECT_LT(solves.total(), 1UL << 28);
  EXPECT_EQ(solves.reason, "the covariance matrix is stored and factorised on the device");
}

TEST_F(CudaDense, AMatrixThatTheDeviceHasNoRoomForIsPlannedOnTheHost) {
  const LargeDevice device("2000000000");
  EXPECT_THROW(training_plan(30'000, 1e-8, Solver::cholesky, 1UL << 32), InputError);
  const ExecutionPlan plan = training_plan(15'000, 1e-8, Solver::cholesky, 1UL << 33);
  EXPECT_GT(plan.total(), 8UL * 15'000 * 15'000);
  EXPECT_EQ(plan.reason.find("on the device"), std::string::npos) << plan.reason;
}

TEST_F(CudaDense, FoldsInTimeOrderArePlannedOnTheHost) {
  const LargeDevice device;
  const CostModel chains({.n = 15'600, .inverts = false}, {.backend = "cuda"}),
      inverse({.n = 15'600}, {.backend = "cuda"});
  EXPECT_FALSE(chains.stored_on_device());
  EXPECT_TRUE(inverse.stored_on_device());
  EXPECT_LT(10 * inverse.dense_step_seconds(), chains.dense_step_seconds());
}
#endif

}  // namespace
}  // namespace gpcv
