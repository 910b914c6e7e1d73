#include "gpcv/folds.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "table_file.hpp"

namespace gpcv {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Ascending, disjoint, and together all rows.
void expect_partition(const Fold& fold, Index rows) {
  EXPECT_TRUE(std::is_sorted(fold.training.begin(), fold.training.end()));
  EXPECT_TRUE(std::is_sorted(fold.validation.begin(), fold.validation.end()));
  std::set<Index> all(fold.training.begin(), fold.training.end());
  all.insert(fold.validation.begin(), fold.validation.end());
  EXPECT_EQ(all.size(), fold.training.size() + fold.validation.size());
  ASSERT_EQ(static_cast<Index>(all.size()), rows);
  EXPECT_EQ(*all.begin(), 0);
  EXPECT_EQ(*all.rbegin(), rows - 1);
}

void expect_each_row_validates_once(const Folds& folds) {
  std::vector<Index> validated;
  for (const Fold& fold : folds.folds) {
    expect_partition(fold, folds.rows);
    validated.insert(validated.end(), fold.validation.begin(), fold.validation.end());
  }
  std::sort(validated.begin(), validated.end());
  ASSERT_EQ(static_cast<Index>(validated.size()), folds.rows);
  for (Index i = 0; i < folds.rows; ++i) EXPECT_EQ(validated[static_cast<std::size_t>(i)], i);
}

TEST(Folds, RandomFoldsValidateEachRowOnceAndDifferInSizeByAtMostOne) {
  for (const auto& [rows, k] : {std::pair<Index, Index>{2, 2}, {10, 3}, {11, 3}, {12, 3}, {7, 7}, {101, 10}}) {
    const Folds folds = Folds::random(rows, k, 1);
    EXPECT_EQ(folds.rows, rows);
    EXPECT_EQ(folds.size(), k);
    expect_each_row_validates_once(folds);
    for (const Fold& fold : folds.folds) {
      const auto size = static_cast<Index>(fold.validation.size());
      EXPECT_TRUE(size == rows / k || size == (rows + k - 1) / k) << size;
    }
  }
}

TEST(Folds, TheSeedDecidesRandomFolds) {
  const auto first = [](std::uint64_t seed) { return Folds::random(100, 5, seed).folds[0].validation; };
  EXPECT_EQ(first(1), first(1));
  EXPECT_NE(first(1), first(2));
  EXPECT_NE(first(1), Folds::interleaved(100, 5).folds[0].validation);
}

TEST(Folds, InterleavedFoldsDealRowsInTurn) {
  const Folds folds = Folds::interleaved(7, 3);
  EXPECT_THAT(folds.folds[0].validation, ElementsAre(0, 3, 6));
  EXPECT_THAT(folds.folds[1].validation, ElementsAre(1, 4));
  EXPECT_THAT(folds.folds[1].training, ElementsAre(0, 2, 3, 5, 6));
  expect_each_row_validates_once(folds);
}

TEST(Folds, HoldoutValidatesOneFractionAtRandom) {
  const Folds folds = Folds::holdout(50, 0.2, 3);
  ASSERT_EQ(folds.size(), 1);
  expect_partition(folds.folds[0], 50);
  EXPECT_EQ(folds.folds[0].validation.size(), 10u);
  EXPECT_NE(folds.folds[0].validation, Folds::holdout(50, 0.2, 4).folds[0].validation);
  EXPECT_EQ(folds.folds[0].validation, Folds::holdout(50, 0.2, 3).folds[0].validation);
}

TEST(Folds, DescribeThemselves) {
  EXPECT_EQ(Folds::random(10, 5, 1).description, "5 random folds, seed 1");
  EXPECT_EQ(Folds::interleaved(10, 5).description, "5 interleaved folds");
  EXPECT_EQ(Folds::holdout(10, 0.3, 9).description, "holdout of 3 of 10 rows, seed 9");
}

TEST(Folds, NeedAtLeastTwoAndAtMostOnePerRow) {
  EXPECT_THAT(message_of([] { Folds::random(10, 1, 1); }), HasSubstr("at least 2 folds, 1 asked for"));
  EXPECT_THAT(message_of([] { Folds::interleaved(10, 0); }), HasSubstr("at least 2 folds"));
  EXPECT_THAT(message_of([] { Folds::random(4, 5, 1); }), HasSubstr("5 folds need at least 5 rows, the data have 4"));
  EXPECT_THAT(message_of([] { Folds::interleaved(0, 2); }), HasSubstr("the data have 0"));
}

TEST(Folds, AHoldoutLeavesRowsOnBothSides) {
  for (double fraction : {0.0, 1.0, -0.5, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THAT(message_of([&] { Folds::holdout(10, fraction, 1); }), HasSubstr("between 0 and 1")) << fraction;
  }
  EXPECT_THAT(message_of([] { Folds::holdout(10, 0.01, 1); }), HasSubstr("none to validate"));
  EXPECT_THAT(message_of([] { Folds::holdout(10, 0.99, 1); }), HasSubstr("none to train"));
}

}  // namespace
}  // namespace gpcv
