#include "core/threads.hpp"

#include <gtest/gtest.h>

#include <omp.h>

#include <optional>
#include <thread>

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

TEST(BlasThreads, ScopesThatOverlapInAnyOrderGiveTheNumberBack) {
  const int original = BlasThreads::current();
  std::optional<BlasThreads> first(std::in_place, original + 1), second(std::in_place, 1);
  EXPECT_EQ(BlasThreads::current(), 1);
  first.reset();
  EXPECT_EQ(BlasThreads::current(), 1);
  {
    const BlasThreads inner(2);
    EXPECT_EQ(BlasThreads::current(), 2);
  }
  EXPECT_EQ(BlasThreads::current(), 1);
  second.reset();
  EXPECT_EQ(BlasThreads::current(), original);
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
  EXPECT_EQ(BlasThreads::current(), 3);
}

}  // namespace
}  // namespace gpcv
