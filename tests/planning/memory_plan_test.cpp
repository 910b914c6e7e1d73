#include "planning/memory_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/message_of.hpp"

namespace gpcv {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

MemoryRequest request(Index n, std::size_t budget, Solver solver = Solver::automatic) {
  MemoryRequest r{.n = n, .d = 8, .columns = 10, .folds = 5};
  r.compute.memory = budget;
  r.compute.solver = solver;
  return r;
}

TEST(MemoryPlan, SizesAreReadAsPeopleWriteThem) {
  EXPECT_EQ(parse_memory("2G"), 2048 * mebibyte);
  EXPECT_EQ(parse_memory("512M"), 512 * mebibyte);
  EXPECT_EQ(parse_memory("1.5GiB"), 1536 * mebibyte);
  EXPECT_EQ(parse_memory("64KB"), std::size_t{65536});
  EXPECT_EQ(parse_memory("1000"), std::size_t{1000});
  for (const char* bad : {"", "G", "2X", "-1G", "0", "2 G", "nan", "1e30G", "2GG"}) {
    EXPECT_THROW(parse_memory(bad), InputError) << bad;
  }
}

TEST(MemoryPlan, NeverExceedsItsBudget) {
  for (Index n : {100, 3000, 20'000, 200'000}) {
    for (std::size_t budget : {64 * mebibyte, 512 * mebibyte, 8192 * mebibyte}) {
      try {
        const MemoryPlan plan = plan_memory(request(n, budget));
        EXPECT_LE(plan.total(), budget);
        EXPECT_EQ(plan.budget, budget);
      } catch (const InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("at least"));
      }
    }
  }
}

TEST(MemoryPlan, SmallProblemsAreFactorisedAndLargeOnesAreNot) {
  EXPECT_EQ(plan_memory(request(500, 1024 * mebibyte)).solver, Solver::cholesky);
  EXPECT_EQ(plan_memory(request(100'000, 1024 * mebibyte)).solver, Solver::cg);
  EXPECT_EQ(plan_memory(request(500, 1024 * mebibyte, Solver::cg)).solver, Solver::cg);
}

TEST(MemoryPlan, GivesUpColumnsBeforeRankAndRankBeforeRefusing) {
  MemoryRequest r = request(50'000, 0, Solver::cg);
  r.columns = 100;
  r.compute.memory = 4096 * mebibyte;
  const MemoryPlan rich = plan_memory(r);
  EXPECT_EQ(rich.columns, 100);
  r.compute.memory = rich.total() - mebibyte;
  const MemoryPlan tight = plan_memory(r);
  EXPECT_LT(tight.columns, rich.columns);
  EXPECT_EQ(tight.rank, rich.rank);
  r.compute.memory = 100 * mebibyte;
  const MemoryPlan poor = plan_memory(r);
  EXPECT_EQ(poor.columns, 1);
  EXPECT_LT(poor.rank, rich.rank);
}

TEST(MemoryPlan, ARefusalNamesTheSmallestBudgetThatWorks) {
  MemoryRequest r = request(1'000'000, 16 * mebibyte);
  EXPECT_THAT(message_of([&] { plan_memory(r); }), testing::HasSubstr("need at least"));
  r = request(20'000, 256 * mebibyte);
  r.needs_factor = true;
  EXPECT_THROW(plan_memory(r), InputError);
  r = request(20'000, 256 * mebibyte, Solver::cholesky);
  EXPECT_THROW(plan_memory(r), InputError);
}

TEST(MemoryPlan, WithAFixedRankMemoryGrowsLinearly) {
  auto total = [](Index n) {
    MemoryRequest r = request(n, 20'000 * mebibyte, Solver::cg);
    r.compute.rank = 300;
    return static_cast<double>(plan_memory(r).total());
  };
  EXPECT_LT(std::log(total(80'000) / total(10'000)) / std::log(8.0), 1.02);
}

TEST(MemoryPlan, PrintsEachPurpose) {
  const std::string text = plan_memory(request(50'000, 4096 * mebibyte, Solver::cg)).to_string();
  for (const char* part :
       {"inputs and target", "columns at a time", "preconditioner of rank", "never stored", "iterations"}) {
    EXPECT_THAT(text, testing::HasSubstr(part));
  }
}

}  // namespace
}  // namespace gpcv
