#include "core/threads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <omp.h>

#include <optional>
#include <thread>
#include <vector>

#include "core/blas_library.hpp"
#include "support/fake_memory.hpp"

namespace gpcv {
namespace {

TEST(AvailableThreads, AreAtMostTheProcessorsThatControlGroupsGrant) {
  const FakeMemory machine(std::size_t{1} << 32);
  const int all = available_threads();
  machine.write("proc/self/cgroup", "0::/job_7/step_0\n");
  machine.write("sys/fs/cgroup/job_7/step_0/cpu.max", "max 100000\n");
  EXPECT_EQ(available_threads(), all);
  machine.write("sys/fs/cgroup/job_7/cpu.max", "50000 100000\n");
  EXPECT_EQ(available_threads(), 1);
  machine.write("sys/fs/cgroup/job_7/cpu.max", "6400000 100000\n");
  EXPECT_EQ(available_threads(), all);
}

TEST(AvailableThreads, AreAtMostTheProcessorsOfVersionOne) {
  const FakeMemory machine(std::size_t{1} << 32);
  const int all = available_threads();
  machine.write("proc/self/cgroup", "3:cpu,cpuacct:/docker/7\n");
  machine.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  machine.write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(available_threads(), all);
  machine.write("sys/fs/cgroup/cpu/docker/7/cpu.cfs_quota_us", "90000\n");
  machine.write("sys/fs/cgroup/cpu/docker/7/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(available_threads(), 1);
}

TEST(AvailableThreads, AreAtMostThoseOfOpenMp) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  EXPECT_EQ(available_threads(), 1);
  omp_set_num_threads(before);
}

/// The number of threads of every BLAS library of this process.
::testing::Matcher<std::vector<int>> all_use(int threads) { return ::testing::Each(threads); }

TEST(BlasThreads, ScopesThatOverlapInAnyOrderGiveTheNumberBack) {
  const std::vector<int> original = blas_threads();
  std::optional<BlasThreads> first(std::in_place, 3), second(std::in_place, 1);
  EXPECT_THAT(blas_threads(), all_use(1));
  first.reset();
  EXPECT_THAT(blas_threads(), all_use(1));
  {
    const BlasThreads inner(2);
    EXPECT_THAT(blas_threads(), all_use(2));
  }
  EXPECT_THAT(blas_threads(), all_use(1));
  second.reset();
  EXPECT_EQ(blas_threads(), original);
}

TEST(BlasThreads, TwoThreadsLeaveTheNumberAsItWas) {
  const BlasThreads outer(3);
  const auto use = [](int threads) {
    for (int i = 0; i < 2000; ++i) {
      const BlasThreads scope(threads);
      std::this_thread::yield();
    }
  };
  std::thread one(use, 1), other(use, 2);
  one.join();
  other.join();
  EXPECT_THAT(blas_threads(), all_use(3));
}

TEST(BlasLibrary, HasANameAndItsThreads) {
  EXPECT_THAT(blas_name(), ::testing::ContainsRegex("OpenBLAS|Kernel Library|BLIS|BLAS of /"));
  // Only a library without a name may be without threads.
  EXPECT_EQ(blas_threads().empty(), blas_name().starts_with("BLAS of"));
}

}  // namespace
}  // namespace gpcv
