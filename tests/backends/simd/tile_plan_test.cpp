#include "backends/simd/program/tile_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "backends/simd/program/schedule.hpp"
#include "random_program.hpp"

namespace gpcv::simd {
namespace {

TEST(ValuePlan, SumsOfLeavesNeedOneTile) {
  ProgramBuilder b(1);
  int sum = b.leaf(Op::se, {0}, {b.slot(1)}, b.slot(1));
  for (int k = 0; k < 3; ++k) sum = b.combine(Op::add, b.leaf(Op::matern32, {0}, {b.slot(1)}, b.slot(1)), sum);
  const ValuePlan plan = plan_values(b.program());
  EXPECT_EQ(plan.tiles, 1);
  EXPECT_EQ(plan.steps.size(), 4u);
  EXPECT_GE(plan.steps.back().leaf, 0);
}

TEST(ValuePlan, ASharedRegisterIsComputedOnce) {
  ProgramBuilder b(1);
  const int a = b.leaf(Op::se, {0}, {b.slot(1)}, b.slot(1));
  int square = b.combine(Op::add, a, a);
  for (int k = 0; k < 20; ++k) square = b.combine(Op::multiply, square, square);
  EXPECT_LT(plan_values(b.program()).steps.size(), 100u);
  EXPECT_LT(plan_gradients(b.program(), true).steps.size(), 200u);
}

TEST(GradientPlan, HeldLeavesOfASumAreNotVisited) {
  ProgramBuilder b(1);
  const int held = b.leaf(Op::rq, {0}, {b.slot(1, true)}, b.slot(1, true), -1, b.slot(1, true));
  b.combine(Op::add, b.leaf(Op::se, {0}, {b.slot(1)}, b.slot(1)), held);
  for (const GradientStep& step : plan_gradients(b.program(), false).steps) EXPECT_NE(step.leaf, held);
}

TEST(Schedule, EveryPairOfBlocksMeetsOnceAndNoRoundSharesRows) {
  for (std::size_t n : {1, 64, 65, 500, 1000, 5000, 5100}) {
    for (int threads : {1, 2, 5}) {
      const Schedule schedule = schedule_symmetric(n, 8, threads);
      std::size_t pairs = 0;
      for (const Round& round : schedule.rounds) {
        std::vector<std::size_t> touched;
        for (const Task& task : round) {
          for (const Block& block : task) {
            touched.push_back(block.row);
            if (block.part == Block::Part::diagonal) {
              pairs += block.rows * block.rows;
            } else {
              EXPECT_LT(block.row, block.col);
              touched.push_back(block.col);
              pairs += 2 * block.rows * block.cols;
            }
          }
        }
        std::sort(touched.begin(), touched.end());
        EXPECT_EQ(std::adjacent_find(touched.begin(), touched.end()), touched.end());
      }
      EXPECT_EQ(pairs, n * n);
    }
  }
}

}  // namespace
}  // namespace gpcv::simd
