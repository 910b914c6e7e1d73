#include "core/memory.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace gpcv
