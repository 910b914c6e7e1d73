/// Solves whose vectors and preconditioner stay on the device, emulated, against those of the host.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "gpcv/kernel.hpp"
#include "operators/fold_system.hpp"
#include "solvers/conjugate_gradients.hpp"
#include "solvers/fold_preconditioner.hpp"
#include "support/random_kernel.hpp"
#include "support/temporary_folder.hpp"

namespace gpcv {
namespace {

/// The fakes are found under the names of the libraries they stand for, and nothing is left in the user's cache.
class FakeDevice : public testing::Environment {
 public:
  void SetUp() override {
    unsetenv("GPCV_NVRTC");
    unsetenv("GPCV_CUBLAS");
    setenv("XDG_CACHE_HOME", cache_.path().c_str(), 1);
    for (const char* name : {"/libcuda.so.1", "/libnvrtc.so.13", "/libcublas.so.13"}) {
      ASSERT_NE(dlopen((std::string(GPCV_FAKE_LIBRARIES) + name).c_str(), RTLD_NOW), nullptr) << dlerror();
    }
  }

 private:
  TemporaryFolder cache_;
};
const testing::Environment* const fake_device = testing::AddGlobalTestEnvironment(new FakeDevice);

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

  Both(Index rows, Precision precision, double least_noise)
      : n(rows),
        x(random_inputs(random, n, 3)),
        noise(least_noise * (1 + random_inputs(random, n, 1).array().square())),
        folds(Folds::random(n, 3, 1)),
        of{0, 0, 1, 1, 1, 2},
        host(program(), x, noise, folds, {.backend = "simd", .precision = Precision::double_, .threads = 2}),
        device(program(), x, noise, folds, {.backend = "cuda", .precision = precision, .threads = 2}),
        b(random_inputs(random, n, 6)) {
    host.mask(b, of);
  }
  static KernelProgram program() { return Kernel::parse("se(l=[1,2,1.5]) + linear(s2=0.1)").bind(3).lower(); }
};

TEST(CudaResident, ThePreconditionerIsTheHosts) {
  Both both(300, Precision::mixed, 0.01);
  for (const Index rank : {0, 40, 200}) {
    const FoldPreconditioner host(both.host, rank, 1, 2, 0), device(both.device, rank, 1, 2, 0);
    ASSERT_EQ(device.rank(), host.rank());
    Matrix expected(both.n, 6), z(both.n, 6);
    host.apply(both.b, both.of, expected);
    device.apply(both.b, both.of, z);
    EXPECT_LT((z - expected).norm(), 1e-9 * expected.norm()) << rank;
  }
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
        ASSERT_NE(both.device.vectors(on_device.get(), 6, Arithmetic::fast), nullptr);
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

TEST(CudaResident, WithoutRoomTheHostDoesIt) {
  Both both(120, Precision::double_, 0.05);
  setenv("GPCV_FAKE_MEMORY", "1", 1);
  EXPECT_EQ(both.device.vectors(nullptr, 5000, Arithmetic::fast), nullptr);
  unsetenv("GPCV_FAKE_MEMORY");
  EXPECT_NE(both.device.vectors(nullptr, 6, Arithmetic::fast), nullptr);
  // A preconditioner of the host's keeps the vectors there.
  const FoldPreconditioner host(both.host, 30, 1, 2);
  EXPECT_EQ(both.device.vectors(&host, 6, Arithmetic::fast), nullptr);
}

}  // namespace
}  // namespace gpcv
