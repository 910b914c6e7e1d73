#include "backends/simd/instruction_sets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpcv::simd {
namespace {

TEST(InstructionSets, TheOneInUseIsTheBestThisProcessorHas) {
  const InstructionSets sets = instruction_sets();
  ASSERT_FALSE(sets.supported.empty());
  EXPECT_EQ(sets.in_use, sets.supported.front());
  for (const std::string& name : sets.supported) EXPECT_THAT(sets.compiled, testing::Contains(name));
}

}  // namespace
}  // namespace gpcv::simd
