#include "planning/budget.hpp"

#include <gtest/gtest.h>

#include "gpcv/error.hpp"
#include "support/fake_memory.hpp"

namespace gpcv {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

TEST(Budget, SizesAreReadAsPeopleWriteThem) {
  EXPECT_EQ(parse_memory("2G"), 2048 * mebibyte);
  EXPECT_EQ(parse_memory("512M"), 512 * mebibyte);
  EXPECT_EQ(parse_memory("1.5GiB"), 1536 * mebibyte);
  EXPECT_EQ(parse_memory("64KB"), std::size_t{65536});
  EXPECT_EQ(parse_memory("1000"), std::size_t{1000});
  for (const char* bad : {"", "G", "2X", "-1G", "0", "2 G", "nan", "1e30G", "2GG"}) {
    EXPECT_THROW(parse_memory(bad), InputError) << bad;
  }
}

TEST(Budget, IsResolvedOnce) {
  const FakeMemory machine(1000 * mebibyte);
  const ComputeOptions resolved = with_budget({});
  EXPECT_EQ(resolved.memory, 800 * mebibyte);
  machine.set_free(100 * mebibyte);
  EXPECT_EQ(with_budget(resolved).memory, 800 * mebibyte);
  EXPECT_EQ(with_budget({.memory = mebibyte}).memory, mebibyte);
}

}  // namespace
}  // namespace gpcv
