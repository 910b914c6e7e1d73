#include "gpcv/folds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "core/random.hpp"
#include "data/table_file.hpp"

namespace gpcv {
namespace {

using testing::AllOf;
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

/// Rows in a given order of time: row i has time i.
Vector counting(Index rows) { return Vector::LinSpaced(rows, 0, static_cast<double>(rows - 1)); }

std::vector<Index> range(Index first, Index end) {
  std::vector<Index> rows(static_cast<std::size_t>(end - first));
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

/// Everything before a block trains, nothing of the block or after it; no row validates twice. Returns how many do.
Index expect_forward_chaining(const Folds& folds, const Vector& time) {
  std::set<Index> validated;
  for (const Fold& fold : folds.folds) {
    EXPECT_TRUE(std::is_sorted(fold.training.begin(), fold.training.end()));
    EXPECT_TRUE(std::is_sorted(fold.validation.begin(), fold.validation.end()));
    EXPECT_FALSE(fold.training.empty());
    EXPECT_FALSE(fold.validation.empty());
    const double cut = time(fold.validation).minCoeff();
    Index before = 0;
    for (double t : time) before += t < cut ? 1 : 0;
    EXPECT_EQ(static_cast<Index>(fold.training.size()), before);
    EXPECT_LT(time(fold.training).maxCoeff(), cut);
    for (Index row : fold.validation) EXPECT_TRUE(validated.insert(row).second) << "row " << row << " validates twice";
  }
  return static_cast<Index>(validated.size());
}

TEST(ForwardChaining, CutsPiecesOfEqualCountAsScikitLearnDoes) {
  // TimeSeriesSplit(n_splits=3).split(range(10)) and TimeSeriesSplit(n_splits=5).split(range(6))
  const Folds ten = Folds::forward_chaining(counting(10), 3);
  ASSERT_EQ(ten.size(), 3);
  EXPECT_EQ(ten.rows, 10);
  for (Index b = 0; b < 3; ++b) {
    EXPECT_EQ(ten.folds[static_cast<std::size_t>(b)].training, range(0, 4 + 2 * b));
    EXPECT_EQ(ten.folds[static_cast<std::size_t>(b)].validation, range(4 + 2 * b, 6 + 2 * b));
  }
  const Folds six = Folds::forward_chaining(counting(6), 5);
  ASSERT_EQ(six.size(), 5);
  for (Index b = 0; b < 5; ++b) {
    EXPECT_EQ(six.folds[static_cast<std::size_t>(b)].training, range(0, b + 1));
    EXPECT_EQ(six.folds[static_cast<std::size_t>(b)].validation, range(b + 1, b + 2));
  }
}

TEST(ForwardChaining, TakesRowsInAnyOrder) {
  const Vector time{{5, 1, 4, 0, 3, 2}};
  const Folds folds = Folds::forward_chaining(time, 2);
  EXPECT_THAT(folds.folds[0].training, ElementsAre(1, 3));
  EXPECT_THAT(folds.folds[0].validation, ElementsAre(4, 5));
  EXPECT_THAT(folds.folds[1].training, ElementsAre(1, 3, 4, 5));
  EXPECT_THAT(folds.folds[1].validation, ElementsAre(0, 2));
}

TEST(ForwardChaining, NeverPartsRowsOfOneTime) {
  Random random(71);
  for (int trial = 0; trial < 50; ++trial) {
    Vector time(60);
    for (double& t : time) t = static_cast<double>(random.below(12));
    expect_forward_chaining(Folds::forward_chaining(time, 2), time);
    expect_forward_chaining(Folds::forward_chaining(time, 2, 2.0), time);
  }
}

TEST(ForwardChaining, OfAWidthValidatesThatStretchAfterEachCut) {
  // Cuts at 10/3 and 8; the last block includes the latest row. Rows 6 and 7 only train.
  const Folds folds = Folds::forward_chaining(counting(11), 2, 2.0);
  ASSERT_EQ(folds.size(), 2);
  EXPECT_EQ(folds.folds[0].training, range(0, 4));
  EXPECT_EQ(folds.folds[0].validation, range(4, 6));
  EXPECT_EQ(folds.folds[1].training, range(0, 8));
  EXPECT_EQ(folds.folds[1].validation, range(8, 11));

  const Folds one = Folds::forward_chaining(counting(11), 1, 3.0);
  ASSERT_EQ(one.size(), 1);
  EXPECT_EQ(one.folds[0].training, range(0, 7));
  EXPECT_EQ(one.folds[0].validation, range(7, 11));
}

TEST(ForwardChaining, OfAWidthSpacesTheCutsEvenly) {
  const Vector time = counting(1001) / 10;  // 0 to 100
  const Folds folds = Folds::forward_chaining(time, 4, 5.0);
  std::vector<double> cuts;
  for (const Fold& fold : folds.folds) cuts.push_back(time(fold.validation).minCoeff());
  EXPECT_NEAR(cuts[0], 20, 0.1);
  EXPECT_NEAR(cuts[1], 45, 0.1);
  EXPECT_NEAR(cuts[2], 70, 0.1);
  EXPECT_NEAR(cuts[3], 95, 0.1);
  EXPECT_EQ(expect_forward_chaining(folds, time), 3 * 50 + 51);
}

TEST(ForwardChaining, RefusesBlocksThatOverlapAndSaysHowManyFit) {
  const Vector time = counting(101);
  const auto refusal = [&](Index blocks, double width) {
    return message_of([&] { Folds::forward_chaining(time, blocks, width); });
  };
  EXPECT_THAT(refusal(5, 20), HasSubstr("5 blocks of width 20 would overlap, 4 fit into times that span 100"));
  EXPECT_THAT(refusal(2, 60), HasSubstr("2 blocks of width 60 would overlap, 1 fits"));
  EXPECT_THAT(refusal(1, 100), HasSubstr("no block of width 100 fits: the times span 100"));
  EXPECT_THAT(refusal(3, 500), HasSubstr("no block of width 500 fits"));
  EXPECT_EQ(refusal(4, 20), "");
  EXPECT_EQ(refusal(1, 60), "");
  // The largest number that is said to fit does, with every row validated once at the most.
  for (double width : {1.7, 3.0, 7.3, 20.0, 33.0}) {
    const auto most = static_cast<Index>(std::floor(100 / width)) - 1;
    expect_forward_chaining(Folds::forward_chaining(time, most, width), time);
    EXPECT_THAT(refusal(most + 1, width), HasSubstr(std::to_string(most) + " fit")) << width;
  }
}

TEST(ForwardChaining, BlocksThatJustFitAreNotRefusedForRounding) {
  const Vector time = counting(61) * 0.01;  // 0.6 / 0.1 is a little less than 6
  const Folds folds = Folds::forward_chaining(time, 5, 0.1);
  EXPECT_EQ(folds.size(), 5);
  EXPECT_EQ(expect_forward_chaining(folds, time), 51);
}

TEST(ForwardChaining, NamesTheBlockThatHasNoRows) {
  const Vector gap{{0, 1, 2, 3, 90, 95, 100}};
  EXPECT_THAT(message_of([&] { Folds::forward_chaining(gap, 3, 5.0); }),
              AllOf(HasSubstr("block 1 of 3"), HasSubstr("no rows to validate"), HasSubstr("another width")));
  const Vector ties{{0, 0, 0, 0, 1, 2}};
  EXPECT_THAT(message_of([&] { Folds::forward_chaining(ties, 2); }),
              AllOf(HasSubstr("block 1 of 2"), HasSubstr("no rows to train"), HasSubstr("share one time")));
  const Vector late_ties{{0, 1, 2, 2, 2, 2}};
  EXPECT_THAT(message_of([&] { Folds::forward_chaining(late_ties, 2); }),
              AllOf(HasSubstr("block 1 of 2"), HasSubstr("no rows to validate")));
}

TEST(ForwardChaining, RefusesTimesAndNumbersThatCannotBe) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (double bad : {nan, infinity, -infinity}) {
    Vector time = counting(10);
    time(7) = bad;
    EXPECT_THAT(message_of([&] { Folds::forward_chaining(time, 2); }), HasSubstr("time of row 7 is")) << bad;
    EXPECT_THAT(message_of([&] { Folds::forward_chaining(time, 2, 1.0); }), HasSubstr("time of row 7 is")) << bad;
  }
  for (double width : {0.0, -1.0, nan, infinity}) {
    EXPECT_THAT(message_of([&] { Folds::forward_chaining(counting(10), 2, width); }), HasSubstr("must be positive"));
  }
  EXPECT_THAT(message_of([] { Folds::forward_chaining(counting(10), 0); }), HasSubstr("at least 1 block, 0 asked for"));
  EXPECT_THAT(message_of([] { Folds::forward_chaining(counting(5), 5); }), HasSubstr("the data have 5"));
  EXPECT_THAT(message_of([] { Folds::forward_chaining(counting(5), std::numeric_limits<Index>::max(), 1e-30); }),
              HasSubstr("the data have 5"));
  EXPECT_THAT(message_of([] { Folds::forward_chaining(Vector::Constant(8, 3), 2); }), HasSubstr("same time, 3"));
  EXPECT_THAT(message_of([] {
                Folds::forward_chaining(Vector{{-1.7e308, 0, 1.7e308}}, 1, 1.0);
              }),
              HasSubstr("too far apart"));
}

TEST(Folds, CountWhatTheyValidate) {
  const Folds five = Folds::random(23, 5, 1);
  EXPECT_EQ(five.validated(), 23);
  EXPECT_EQ(five.largest_validation(), 5);
  EXPECT_EQ(Folds::holdout(50, 0.2, 3).validated(), 10);
  EXPECT_EQ(Folds::holdout(50, 0.2, 3).largest_validation(), 10);
  EXPECT_EQ(Folds::forward_chaining(counting(11), 2, 2.0).validated(), 5);
  EXPECT_EQ(Folds::forward_chaining(counting(11), 2, 2.0).largest_validation(), 3);
  EXPECT_EQ(Folds{}.validated(), 0);
  EXPECT_EQ(Folds{}.largest_validation(), 0);
}

TEST(Folds, StackedValuesReturnToTheirRows) {
  const Folds folds = Folds::random(17, 4, 2);
  Vector stacked(17);
  Index at = 0;
  for (const Fold& fold : folds.folds) {
    for (Index row : fold.validation) stacked(at++) = 10 * static_cast<double>(row);
  }
  EXPECT_EQ(folds.by_row(stacked), 10 * counting(17));
}

TEST(Folds, RowsThatNobodyValidatesHaveNoValueAndTheLastFoldHasTheLastWord) {
  const Folds folds{5, {{{0, 1}, {2, 4}}, {{0, 3}, {1, 2}}}, ""};
  const Vector values = folds.by_row(Vector{{1, 2, 3, 4}});
  EXPECT_TRUE(std::isnan(values(0)));
  EXPECT_EQ(values(1), 3);
  EXPECT_EQ(values(2), 4);
  EXPECT_EQ(folds.fold_of_row(), (std::vector<Index>{-1, 1, 1, -1, 0}));
  EXPECT_TRUE(std::isnan(values(3)));
  EXPECT_EQ(values(4), 2);
}

TEST(Folds, OfSomeRowsAreTheSameFoldsRenumbered) {
  const Folds folds = Folds::random(40, 4, 2);
  const std::vector<Index> rows{0, 3, 4, 9, 11, 17, 18, 20, 25, 26, 31, 38, 39};
  const Folds part = folds.of_rows(rows);
  EXPECT_EQ(part.rows, 13);
  EXPECT_EQ(part.description, folds.description);
  ASSERT_EQ(part.size(), 4);
  expect_each_row_validates_once(part);
  for (std::size_t k = 0; k < 4; ++k) {
    for (Index row : part.folds[k].validation) {
      const std::vector<Index>& whole = folds.folds[k].validation;
      EXPECT_TRUE(std::binary_search(whole.begin(), whole.end(), rows[static_cast<std::size_t>(row)]));
    }
  }
  EXPECT_EQ(folds.of_rows(range(0, 40)).folds[2].training, folds.folds[2].training);
}

TEST(Folds, OfSomeRowsLoseThoseWithNothingToTrainOrValidate) {
  const Folds chain = Folds::forward_chaining(counting(10), 3);  // trains before 4, 6, 8
  const Folds late = chain.of_rows({5, 6, 9});
  ASSERT_EQ(late.size(), 2);
  EXPECT_THAT(late.folds[0].training, ElementsAre(0));
  EXPECT_THAT(late.folds[0].validation, ElementsAre(1));
  EXPECT_THAT(late.folds[1].training, ElementsAre(0, 1));
  EXPECT_THAT(late.folds[1].validation, ElementsAre(2));
  EXPECT_EQ(chain.of_rows({}).size(), 0);
}

TEST(Folds, DescribeThemselves) {
  EXPECT_EQ(Folds::random(10, 5, 1).description, "5 random folds, seed 1");
  EXPECT_EQ(Folds::interleaved(10, 5).description, "5 interleaved folds");
  EXPECT_EQ(Folds::holdout(10, 0.3, 9).description, "holdout of 3 of 10 rows, seed 9");
  const Vector time = counting(30);
  EXPECT_EQ(Folds::forward_chaining(time, 5).description, "5 blocks in time order, each trained on all before it");
  EXPECT_EQ(Folds::forward_chaining(time, 2, 2.5).description,
            "2 blocks in time order, each of width 2.5 and trained on all before it");
  EXPECT_EQ(Folds::forward_chaining(time, 1).description, "1 block in time order, trained on all before it");
  EXPECT_EQ(Folds::forward_chaining(time, 1, 2.5).description,
            "1 block in time order, of width 2.5 and trained on all before it");
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
