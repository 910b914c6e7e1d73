#include "core/memory.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <cstdlib>

#include "support/fake_memory.hpp"

namespace gpcv {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

TEST(AvailableMemory, IsThatOfTheMachineWithoutControlGroups) {
  const FakeMemory machine(4096 * mebibyte);
  EXPECT_EQ(available_memory(), 4096 * mebibyte);
}

TEST(AvailableMemory, IsAtMostWhatTheOwnControlGroupAllows) {
  const FakeMemory machine(4096 * mebibyte);
  machine.write("proc/self/cgroup", "0::/system.slice/slurmstepd.scope/job_7/step_0\n");
  const std::string job = "sys/fs/cgroup/system.slice/slurmstepd.scope/job_7/";
  machine.write(job + "step_0/memory.max", "max\n");
  machine.write(job + "step_0/memory.current", "1000\n");
  machine.write(job + "memory.max", std::to_string(512 * mebibyte));
  machine.write(job + "memory.current", std::to_string(200 * mebibyte));
  EXPECT_EQ(available_memory(), 312 * mebibyte);
  // Cached files count as used but give way.
  machine.write(job + "memory.stat", "anon 5\ninactive_file " + std::to_string(100 * mebibyte) + "\n");
  EXPECT_EQ(available_memory(), 412 * mebibyte);
  machine.write("sys/fs/cgroup/memory.max", std::to_string(64 * mebibyte));
  machine.write("sys/fs/cgroup/memory.current", "0");
  EXPECT_EQ(available_memory(), 64 * mebibyte);
}

TEST(AvailableMemory, ReadsTheMemoryControllerOfVersionOne) {
  const FakeMemory machine(4096 * mebibyte);
  machine.write("proc/self/cgroup", "9:cpu,cpuacct:/else\n4:memory:/slurm/uid_1/job_7\n0::/else\n");
  machine.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
  machine.write("sys/fs/cgroup/memory/memory.usage_in_bytes", std::to_string(3000 * mebibyte));
  machine.write("sys/fs/cgroup/memory/slurm/uid_1/job_7/memory.limit_in_bytes", std::to_string(256 * mebibyte));
  machine.write("sys/fs/cgroup/memory/slurm/uid_1/job_7/memory.usage_in_bytes", std::to_string(6 * mebibyte));
  machine.write("sys/fs/cgroup/memory/slurm/uid_1/job_7/memory.stat",
                "inactive_file 7\ntotal_inactive_file " + std::to_string(mebibyte) + "\n");
  EXPECT_EQ(available_memory(), 251 * mebibyte);
}

TEST(AvailableMemory, OfAContainerThatSeesOnlyItsOwnGroupIsThatGroups) {
  const FakeMemory machine(4096 * mebibyte);
  machine.write("proc/self/cgroup", "0::/docker/0123abcd\n");
  machine.write("sys/fs/cgroup/memory.max", std::to_string(128 * mebibyte));
  machine.write("sys/fs/cgroup/memory.current", std::to_string(200 * mebibyte));
  EXPECT_EQ(available_memory(), 0u);
}

/// A limit of this process for the time of a test.
class Limit {
 public:
  Limit(decltype(RLIMIT_AS) resource, rlim_t bytes) : resource_(resource) {
    getrlimit(resource_, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(resource_, &limit);
  }
  ~Limit() { setrlimit(resource_, &before_); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

 private:
  decltype(RLIMIT_AS) resource_;
  rlimit before_{};
};

/// The limits are far above what the test needs, and so is what the process is said to use.
TEST(AvailableMemory, IsAtMostWhatTheLimitsOfTheProcessLeave) {
  const FakeMemory machine(4096 * mebibyte);
  constexpr std::size_t large = std::size_t{1} << 50;
  machine.write("proc/self/status", "Name:\tgpcv\nVmSize:\t" + std::to_string((large - 700 * mebibyte) / 1024) +
                                        " kB\nVmData:\t" + std::to_string((large - 900 * mebibyte) / 1024) + " kB\n");
  EXPECT_EQ(available_memory(), 4096 * mebibyte);
  const Limit data(RLIMIT_DATA, large);
  EXPECT_EQ(available_memory(), 900 * mebibyte);
  const Limit addresses(RLIMIT_AS, large);
  EXPECT_EQ(available_memory(), 700 * mebibyte);
  const Limit less(RLIMIT_AS, large - 800 * mebibyte);
  EXPECT_EQ(available_memory(), 0u);
}

TEST(AvailableMemory, IsAtMostWhatSlurmGrantsToTheJob) {
  if (std::getenv("SLURM_JOB_ID") != nullptr) GTEST_SKIP() << "this is a job";
  const FakeMemory machine(4096 * mebibyte);
  setenv("SLURM_MEM_PER_NODE", "100", 1);
  EXPECT_EQ(available_memory(), 4096 * mebibyte) << "this is no job";
  setenv("SLURM_JOB_ID", "1", 1);
  EXPECT_EQ(available_memory(), 100 * mebibyte);
  setenv("SLURM_MEM_PER_NODE", "0", 1);  // all of the node
  EXPECT_EQ(available_memory(), 4096 * mebibyte);
  unsetenv("SLURM_MEM_PER_NODE");
  setenv("SLURM_MEM_PER_CPU", "300", 1);
  EXPECT_EQ(available_memory(), 300 * mebibyte);
  setenv("SLURM_CPUS_ON_NODE", "3", 1);
  EXPECT_EQ(available_memory(), 900 * mebibyte);
  for (const char* name : {"SLURM_JOB_ID", "SLURM_MEM_PER_CPU", "SLURM_CPUS_ON_NODE"}) unsetenv(name);
}

}  // namespace
}  // namespace gpcv
