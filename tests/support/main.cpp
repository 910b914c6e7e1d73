/// The main function of every test program. The variable GPCV_TEST_INSTRUCTION_SET of the environment (SSE4, SCALAR, …)
/// restricts the simd backend to one instruction set, as if the processor had no other.
#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "backends/simd/instruction_sets.hpp"
#include "backends/simd/tiles/enabled_targets.hpp"

#include <hwy/highway.h>

namespace {

constexpr int skipped = 77;  ///< the exit code that CTest takes for a skipped test

/// Whether products use this instruction set from now on.
bool use_only(const std::string& name) {
  for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1) {
    const std::int64_t target = left & -left;
    if (name == hwy::TargetName(target)) hwy::DisableTargets(~target);
  }
  return gpcv::simd::instruction_sets().in_use == name;
}

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleMock(&argc, argv);
  const char* const name = std::getenv("GPCV_TEST_INSTRUCTION_SET");
  if (name != nullptr && !use_only(name)) {
    std::fprintf(stderr, "this build or this processor has no instruction set %s\n", name);
    return skipped;
  }
  return RUN_ALL_TESTS();
}
