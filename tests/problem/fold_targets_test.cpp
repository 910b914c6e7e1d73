#include "problem/fold_targets.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "data/folds/repeated_folds.hpp"

namespace gpcv {
namespace {

Problem with_targets(Index n, Index folds, Index targets) {
  Random random(1);
  Problem problem;
  problem.folds = Folds::random(n, folds, 1);
  problem.targets.resize(n, targets);
  for (double& v : problem.targets.reshaped()) v = random.normal();
  return problem;
}

TEST(FoldTargets, EveryFoldIsListedForEveryTargetInTurn) {
  const Problem problem = with_targets(12, 3, 4), all = over_all_targets(problem);
  ASSERT_EQ(all.folds.size(), 12);
  EXPECT_TRUE(covers_all_targets(all));
  for (Index k = 0; k < 12; ++k) {
    const auto at = static_cast<std::size_t>(k);
    EXPECT_EQ(all.folds.folds[at].validation, problem.folds.folds[at / 4].validation);
    EXPECT_EQ(repeats(all.folds, at), k % 4 != 0);
    EXPECT_TRUE(all.fold_targets.col(k).isApprox(Vector::Unit(4, k % 4)));
  }
}

TEST(FoldTargets, FoldsTakeTheTargetsInTurn) {
  const Problem some = over_some_targets(with_targets(12, 3, 4), 2, 1);
  ASSERT_EQ(some.fold_targets.cols(), 6);
  EXPECT_FALSE(covers_all_targets(some));
  for (Index k = 0; k < 6; ++k) EXPECT_TRUE(some.fold_targets.col(k).isApprox(Vector::Unit(4, k % 4)));
}

TEST(FoldTargets, MoreTargetsThanFoldsAreCombinedWithoutLeavingOneOut) {
  const Problem some = over_some_targets(with_targets(12, 3, 8), 1, 5);
  ASSERT_EQ(some.fold_targets.cols(), 3);
  for (Index j = 0; j < 8; ++j) {
    EXPECT_EQ((some.fold_targets.row(j).array() != 0).count(), 1) << j;
    EXPECT_NE(some.fold_targets(j, j % 3), 0) << j;
  }
  for (Index k = 0; k < 3; ++k) EXPECT_NEAR(some.fold_targets.col(k).norm(), 1, 1e-14);
}

// E ‖Y s‖² over random signs is the sum of the squares of the targets, here divided by their number.
TEST(FoldTargets, SquaresOfACombinationAreOnAverageTheMeanOfTheTargets) {
  const Problem problem = with_targets(30, 2, 6);
  double sum = 0, expected = 0;
  constexpr int seeds = 2000;
  for (int seed = 1; seed <= seeds; ++seed) {
    const Problem some = over_some_targets(problem, 1, static_cast<std::uint64_t>(seed));
    sum += (problem.targets * some.fold_targets.col(0)).squaredNorm();
  }
  for (const Index j : {0, 2, 4}) expected += problem.targets.col(j).squaredNorm() / 3;
  EXPECT_NEAR(sum / seeds, expected, 0.03 * expected);
}

TEST(FoldTargets, AProblemOfOneTargetStaysAsItIs) {
  Problem problem = with_targets(12, 3, 1);
  problem.targets.resize(0, 0);
  EXPECT_EQ(over_all_targets(problem).folds.size(), 3);
  EXPECT_EQ(over_all_targets(problem).fold_targets.size(), 0);
  EXPECT_TRUE(covers_all_targets(problem));
}

}  // namespace
}  // namespace gpcv
