/// Solves whose vectors and preconditioner stay on the device, emulated, against those of the host.
#include <gtest/gtest.h>

#include <cstdlib>

#include "backends/cuda/driver/device.hpp"
#include "backends/cuda/driver/matrix_product.hpp"
#include "backends/preparation.hpp"
#include "fake/fake_device.hpp"
#include "gpcv/kernel.hpp"
#include "planning/execution_plan.hpp"
#include "solvers/conjugate_gradients.hpp"
#include "solvers/preconditioner/fold_preconditioner.hpp"
#include "support/random_kernel.hpp"
#include "systems/fold_system.hpp"

namespace gpcv {
namespace {

/// One problem on the host and on the device.
struct Both {
  Random random{41};
  Index n;
  Matrix x;
  Vector noise;
  Folds folds;
  std::vector<int> of;
  FoldSystem host, device;
  Matrix b;

  Both(Index rows, Precision precision, double least_noise, const char* kernel = "se(l=[1,2,1.5]) + linear(s2=0.1)")
      : n(rows),
        x(random_inputs(random, n, 3)),
        noise(least_noise * (1 + random_inputs(random, n, 1).array().square())),
        folds(Folds::random(n, 3, 1)),
        of{0, 0, 1, 1, 1, 2},
        host(program(kernel), x, noise, folds, {.backend = "simd", .precision = Precision::double_, .threads = 2}),
        device(program(kernel), x, noise, folds, {.backend = "cuda", .precision = precision, .threads = 2}),
        b(random_inputs(random, n, 6)) {
    host.mask(b, of);
  }
  static KernelProgram program(const char* kernel) { return Kernel::parse(kernel).bind(3).lower(); }
};

TEST(CudaResident, ThePreconditionerIsTheHosts) {
  Both both(300, Precision::mixed, 0.01);
  for (const Index rank : {0, 40, 200}) {
    const FoldPreconditioner host(both.host, rank, 1, 2, 0), device(both.device, rank, 1, 2, 0);
    ASSERT_EQ(device.rank(), host.rank());
    Matrix expected(both.n, 6), z(both.n, 6);
    host.apply(both.b, both.of, expected);
    device.apply(both.b, both.of, z);
    // The host rounds F to single precision.
    EXPECT_LT((z - expected).norm(), 1e-6 * expected.norm()) << rank;
  }
}

TEST(CudaResident, ThePreconditionerIsPlannedInTheMemoryOfTheDeviceAndOfTheHostItFallsBackTo) {
  const Shape shape{.n = 60000, .d = 3};
  ComputeOptions compute{.backend = "simd", .solver = Solver::cg, .memory = std::size_t{4} << 30};
  const ExecutionPlan host = plan_solves(shape, compute);
  compute.backend = "cuda";
  const ExecutionPlan device = plan_solves(shape, compute);
  EXPECT_TRUE(host.preconditioner_on_host);
  EXPECT_FALSE(device.preconditioner_on_host);
  EXPECT_NE(device.reason.find("of the device for a preconditioner"), std::string::npos) << device.reason;
  // A quarter of the fake device's 1 GiB.
  EXPECT_LT(device.iterative.rank, host.iterative.rank);
  EXPECT_GT(device.iterative.rank, 100);
  const auto factor = static_cast<std::size_t>(60000 * 8 * device.iterative.rank);
  EXPECT_GT(device.total(), factor);
  // A rank asked for that the device has no room for is the host's.
  compute.rank = 1000;
  const ExecutionPlan asked = plan_solves(shape, compute);
  EXPECT_EQ(asked.iterative.rank, 1000);
  EXPECT_TRUE(asked.preconditioner_on_host);
  EXPECT_GT(asked.total(), std::size_t{60000} * 8 * 1000);
}

TEST(CudaResident, APreconditionerOfHighRankIsTheHosts) {
  const Both both(700, Precision::mixed, 0.01, "matern12(l=1)");
  const FoldPreconditioner host(both.host, 650, 1, 2, 0), device(both.device, 650, 1, 2, 0);
  ASSERT_EQ(device.rank(), 650);
  Matrix expected(both.n, 6), z(both.n, 6);
  host.apply(both.b, both.of, expected);
  device.apply(both.b, both.of, z);
  EXPECT_LT((z - expected).norm(), 1e-6 * expected.norm());
}

TEST(CudaResident, SolutionsAreTheHosts) {
  for (const Precision precision : {Precision::double_, Precision::mixed}) {
    Both both(120, precision, 0.05);
    // Columns leave the batch one after the other.
    for (Index c = 0; c < 6; ++c) both.b.col(c) *= std::pow(10.0, static_cast<double>(c));
    for (const bool preconditioned : {false, true}) {
      std::unique_ptr<FoldPreconditioner> on_host, on_device;
      if (preconditioned) {
        on_host = std::make_unique<FoldPreconditioner>(both.host, 30, 1, 2);
        on_device = std::make_unique<FoldPreconditioner>(both.device, 30, 1, 2);
        ASSERT_NE(both.device.space(Arithmetic::fast)->vectors(on_device.get(), 6), nullptr);
      }
      Matrix start = 1e-3 * random_inputs(both.random, both.n, 6);
      both.host.mask(start, both.of);
      start.col(2).setZero();
      Matrix expected = start, x = start;
      const CgOptions options{.tolerance = 1e-7, .max_iterations = 2000, .threads = 2};
      const CgSummary host = solve_cg(both.host, on_host.get(), both.b, both.of, expected, options);
      const CgSummary device = solve_cg(both.device, on_device.get(), both.b, both.of, x, options);
      EXPECT_EQ(device.status, Status::converged);
      if (precision == Precision::double_) {
        EXPECT_NEAR(device.iterations, host.iterations, 2);
      }
      for (Index c = 0; c < 6; ++c) {
        EXPECT_LT((x.col(c) - expected.col(c)).norm(), 1e-5 * expected.col(c).norm()) << c;
      }
    }
  }
}

TEST(CudaResident, TheSameBitsEveryTime) {
  Both both(120, Precision::mixed, 0.05);
  const FoldPreconditioner preconditioner(both.device, 30, 1, 2);
  Matrix first = Matrix::Zero(both.n, 6), second = first;
  const CgOptions options{.tolerance = 1e-3, .verify = false};
  solve_cg(both.device, &preconditioner, both.b, both.of, first, options);
  solve_cg(both.device, &preconditioner, both.b, both.of, second, options);
  EXPECT_EQ(first, second);
}

TEST(CudaResident, ProductsInPartsAreTheWhole) {
  using Block = Eigen::Map<Matrix, 0, Eigen::OuterStride<>>;
  const auto block = [](cuda::Address at, Index rows, Index columns, Index stride) {
    return Block(reinterpret_cast<double*>(at), rows, columns, Eigen::OuterStride<>(stride));
  };
  Random random(3);
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      const Index m = 7, n = 5, inner = 9;
      Matrix a = random_inputs(random, ta ? inner : m, ta ? m : inner),
             b = random_inputs(random, tb ? n : inner, tb ? inner : n);
      Matrix c = random_inputs(random, m + 2, n);  // with rows that are not part of it
      const Matrix left = ta ? Matrix(a.transpose()) : a, right = tb ? Matrix(b.transpose()) : b;
      Matrix expected = c;
      expected.topRows(m) = 2 * left * right + 0.5 * c.topRows(m);
      const auto address = [](Matrix& of) { return reinterpret_cast<cuda::Address>(of.data()); };
      const cuda::MatrixProduct whole{ta,       tb,         m,        n,   inner,      2,       address(a),
                                      a.rows(), address(b), b.rows(), 0.5, address(c), c.rows()};
      int calls = 0;
      cuda::in_parts(whole, 20, [&](const cuda::MatrixProduct& p) {
        ++calls;
        const Matrix of_a = block(p.a, ta ? p.inner : p.m, ta ? p.m : p.inner, p.stride_a);
        const Matrix of_b = block(p.b, tb ? p.n : p.inner, tb ? p.inner : p.n, p.stride_b);
        EXPECT_LE(p.stride_a * (of_a.cols() - 1) + of_a.rows(), 20);
        EXPECT_LE(p.stride_b * (of_b.cols() - 1) + of_b.rows(), 20);
        EXPECT_LE(p.stride_c * (p.n - 1) + p.m, 20);
        Block of_c = block(p.c, p.m, p.n, p.stride_c);
        of_c =
            (p.alpha * (ta ? Matrix(of_a.transpose()) : of_a) * (tb ? Matrix(of_b.transpose()) : of_b) + p.beta * of_c)
                .eval();
      });
      EXPECT_GT(calls, 4);
      EXPECT_LT((c - expected).cwiseAbs().maxCoeff(), 1e-12) << ta << tb;
    }
  }
}

/// While it lives, the device has so much memory, and none is kept free for the next user.
class ScarceDevice {
 public:
  explicit ScarceDevice(int bytes = 1) {
    setenv("GPCV_FAKE_MEMORY", std::to_string(bytes).c_str(), 1);
    // What fails to fit drives out the blocks that are kept.
    EXPECT_THROW(cuda::Device::instance().allocate(std::size_t{1} << 30), OutOfDeviceMemory);
  }
  ~ScarceDevice() { unsetenv("GPCV_FAKE_MEMORY"); }
  ScarceDevice(const ScarceDevice&) = delete;
  ScarceDevice& operator=(const ScarceDevice&) = delete;
};

TEST(CudaResident, WithoutRoomForAPreconditionerTheHostMakesIt) {
  Both both(300, Precision::mixed, 0.01);
  const FoldPreconditioner host(both.host, 60, 1, 2, 0);
  Matrix expected(both.n, 6), z(both.n, 6);
  host.apply(both.b, both.of, expected);
  // From none for the noise to enough for F and too little for what it takes to make it.
  for (int bytes = 1; bytes <= 500'000; bytes += bytes >= 340'000 && bytes < 400'000 ? 5'000 : 40'000) {
    Both fresh(300, Precision::mixed, 0.01);
    std::unique_ptr<FoldPreconditioner> device;
    {
      const ScarceDevice scarce(bytes);
      ASSERT_NO_THROW(device = std::make_unique<FoldPreconditioner>(fresh.device, 60, 1, 2, 0)) << bytes;
    }
    EXPECT_TRUE(device->returned_to_host() || bytes > 400'000) << bytes;
    device->apply(both.b, both.of, z);
    EXPECT_LT((z - expected).norm(), 1e-9 * expected.norm()) << bytes;
  }
}

TEST(CudaResident, WithoutRoomToApplyAPreconditionerTheHostMakesItAnew) {
  Both both(120, Precision::double_, 0.05);
  const FoldPreconditioner host(both.host, 30, 1, 2), device(both.device, 30, 1, 2);
  Matrix expected(both.n, 6), z(both.n, 6);
  host.apply(both.b, both.of, expected);
  EXPECT_FALSE(device.returned_to_host());
  {
    const ScarceDevice full;
    device.apply(both.b, both.of, z);
  }
  EXPECT_TRUE(device.returned_to_host());
  EXPECT_LT((z - expected).norm(), 1e-9 * expected.norm());
  // Solves go on, with vectors on the host.
  EXPECT_EQ(both.device.space(Arithmetic::fast)->vectors(&device, 6), nullptr);
  Matrix x = Matrix::Zero(both.n, 6), on_host = x;
  const CgOptions options{.tolerance = 1e-7, .threads = 2};
  const CgSummary summary = solve_cg(both.device, &device, both.b, both.of, x, options);
  EXPECT_EQ(summary.status, Status::converged);
  solve_cg(both.host, &host, both.b, both.of, on_host, options);
  EXPECT_LT((x - on_host).norm(), 1e-5 * on_host.norm());
}

TEST(CudaResident, WithoutRoomForASolveTheHostTakesItsVectors) {
  Both both(120, Precision::double_, 0.05);
  const FoldPreconditioner device(both.device, 30, 1, 2);
  const Space* space = both.device.space(Arithmetic::fast);
  {
    const ScarceDevice full;
    EXPECT_THROW(space->vectors(&device, 6), OutOfDeviceMemory);
  }
  // All that a solve needs beside its products is allocated before it begins.
  const std::unique_ptr<CgVectors> vectors = space->vectors(&device, 6);
  ASSERT_NE(vectors, nullptr);
  const ScarceDevice full;
  Matrix x = Matrix::Zero(both.n, 6);
  const std::vector<Index> all{0, 1, 2, 3, 4, 5};
  EXPECT_NO_THROW(vectors->start(both.b, both.of, x, all));
  EXPECT_NO_THROW(vectors->precondition());
  EXPECT_THROW(vectors->multiply(), OutOfDeviceMemory);
}

TEST(CudaResident, WithoutRoomTheHostDoesIt) {
  Both both(120, Precision::double_, 0.05);
  EXPECT_NE(both.device.space(Arithmetic::fast)->vectors(nullptr, 6), nullptr);
  setenv("GPCV_FAKE_MEMORY", "1", 1);
  EXPECT_THROW(both.device.space(Arithmetic::fast)->vectors(nullptr, 5000), OutOfDeviceMemory);
  unsetenv("GPCV_FAKE_MEMORY");
  EXPECT_NE(both.device.space(Arithmetic::fast)->vectors(nullptr, 6), nullptr);
  // A preconditioner of the host's keeps the vectors there.
  const FoldPreconditioner host(both.host, 30, 1, 2);
  EXPECT_EQ(both.device.space(Arithmetic::fast)->vectors(&host, 6), nullptr);
}

TEST(Preparation, OpensADeviceInTheBackgroundAndLeavesFaultsToWhoeverNeedsIt) {
  for (const char* backend : {"cuda", "auto"}) {
    std::future<void> ready = prepare_device({.backend = backend});
    ASSERT_TRUE(ready.valid()) << backend;
    EXPECT_NO_THROW(ready.get()) << backend;
  }
  EXPECT_FALSE(prepare_device({.backend = "simd"}).valid());
}

TEST(DeviceMemory, ABlockLargerThanAllThatIsKeptDrivesNothingOut) {
  cuda::Device& device = cuda::Device::instance();
  constexpr std::size_t small = std::size_t{100} << 20, huge = std::size_t{500} << 20;
  const cuda::Address before = device.allocate(small).address();
  (void)device.allocate(huge);
  EXPECT_EQ(device.allocate(small).address(), before);
}

TEST(DeviceMemory, WhatWasUsedLastIsKeptForTheNext) {
  cuda::Device& device = cuda::Device::instance();
  constexpr std::size_t most_of_what_is_kept = std::size_t{250} << 20;
  cuda::Address last = 0;
  {
    const cuda::Buffer first = device.allocate(most_of_what_is_kept);
    const cuda::Buffer second = device.allocate(most_of_what_is_kept);  // given back before the first
    last = first.address();
  }
  EXPECT_EQ(device.allocate(most_of_what_is_kept).address(), last);
}

}  // namespace
}  // namespace gpcv
