#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/random.hpp"
#include "data/folds/kmeans.hpp"
#include "gpcv/error.hpp"
#include "gpcv/folds.hpp"

namespace gpcv {
namespace {

/// Every row is in exactly one of the two parts of each fold, and validated once over all folds.
void expect_partition(const Folds& folds, Index validated) {
  std::vector<int> times(static_cast<std::size_t>(folds.rows));
  for (const Fold& fold : folds.folds) {
    EXPECT_EQ(static_cast<Index>(fold.training.size() + fold.validation.size()), folds.rows);
    std::set<Index> all(fold.training.begin(), fold.training.end());
    all.insert(fold.validation.begin(), fold.validation.end());
    EXPECT_EQ(static_cast<Index>(all.size()), folds.rows);
    EXPECT_FALSE(fold.training.empty());
    EXPECT_FALSE(fold.validation.empty());
    for (Index row : fold.validation) ++times[static_cast<std::size_t>(row)];
  }
  EXPECT_EQ(std::count(times.begin(), times.end(), 1), validated);
  EXPECT_EQ(std::count(times.begin(), times.end(), 0), folds.rows - validated);
}

TEST(GroupedFolds, NeverPartAGroup) {
  Random random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const auto rows = static_cast<Index>(10 + random.below(200));
    const auto groups = static_cast<Index>(2 + random.below(30));
    std::vector<Index> of;
    for (Index i = 0; i < rows; ++i) of.push_back(static_cast<Index>(random.below(static_cast<std::uint64_t>(groups))));
    if (std::set<Index>(of.begin(), of.end()).size() < 2) continue;
    const Folds folds = Folds::grouped(of, 5, static_cast<std::uint64_t>(trial));
    expect_partition(folds, rows);
    for (const Fold& fold : folds.folds) {
      std::set<Index> here;
      for (Index row : fold.validation) here.insert(of[static_cast<std::size_t>(row)]);
      for (Index row : fold.training) EXPECT_EQ(here.count(of[static_cast<std::size_t>(row)]), 0u);
    }
  }
}

TEST(GroupedFolds, AreAsEqualAsGroupsAllow) {
  // 40 groups of 5 rows in 5 folds.
  std::vector<Index> of;
  for (Index i = 0; i < 200; ++i) of.push_back(i % 40);
  for (const Fold& fold : Folds::grouped(of, 5, 3).folds) EXPECT_EQ(fold.validation.size(), 40u);
  // One large group does not take others with it.
  of.assign(100, 0);
  for (Index i = 0; i < 100; ++i) of.push_back(1 + i % 20);
  const Folds folds = Folds::grouped(of, 3, 1);
  std::vector<std::size_t> sizes;
  for (const Fold& fold : folds.folds) sizes.push_back(fold.validation.size());
  EXPECT_THAT(sizes, ::testing::UnorderedElementsAre(100, 50, 50));
}

TEST(GroupedFolds, AreFewerThanAskedForWhereGroupsAre) {
  EXPECT_EQ(Folds::grouped({0, 1, 0, 1, 2, 2}, 5, 1).size(), 3);
  EXPECT_EQ(Folds::grouped({7, 7, 9, 9, 7, 9}, 5, 1).size(), 2) << "numbers may have gaps";
  EXPECT_THROW(Folds::grouped({4, 4, 4, 4}, 2, 1), InputError);
  EXPECT_THROW(Folds::grouped({0, 1, -1, 1}, 2, 1), InputError) << "a row without a group";
  EXPECT_THROW(Folds::grouped({0, 1, 1}, 1, 1), InputError);
}

TEST(GroupedFolds, AreTheSameForTheSameSeed) {
  std::vector<Index> of;
  for (Index i = 0; i < 60; ++i) of.push_back(i % 12);
  EXPECT_EQ(Folds::grouped(of, 4, 9).folds[0].validation, Folds::grouped(of, 4, 9).folds[0].validation);
  EXPECT_NE(Folds::grouped(of, 4, 9).folds[0].validation, Folds::grouped(of, 4, 10).folds[0].validation);
}

TEST(LabelledFolds, ValidateWhatTheTableSays) {
  const Folds folds = Folds::labelled({0, 1, -1, 0, 2, -1});
  expect_partition(folds, 4);
  ASSERT_EQ(folds.size(), 3);
  EXPECT_THAT(folds.folds[0].validation, ::testing::ElementsAre(0, 3));
  EXPECT_THAT(folds.folds[0].training, ::testing::ElementsAre(1, 2, 4, 5));
  EXPECT_EQ(Folds::labelled({0, 0, -1, -1}).size(), 1) << "one label is a hold-out";
  EXPECT_THROW(Folds::labelled({0, 0, 0}), InputError);
  EXPECT_THROW(Folds::labelled({-1, -1}), InputError);
  std::vector<Index> many(300);
  for (Index i = 0; i < 300; ++i) many[static_cast<std::size_t>(i)] = i;
  EXPECT_THROW(Folds::labelled(many), InputError) << "that is a number of rows, not of folds";
}

TEST(BlockFolds, AreContiguousAndOfEqualCount) {
  Random random(2);
  Vector order(103);
  for (double& v : order) v = random.normal();
  const Folds folds = Folds::blocks(order, 5);
  expect_partition(folds, 103);
  double previous = -1e9;
  for (const Fold& fold : folds.folds) {
    EXPECT_NEAR(static_cast<double>(fold.validation.size()), 103 / 5.0, 1);
    const Vector here = order(fold.validation);
    EXPECT_GT(here.minCoeff(), previous);
    previous = here.maxCoeff();
  }
}

TEST(BlockFolds, DoNotPartEqualRows) {
  const Vector order{{1, 1, 1, 1, 2, 2, 3, 3, 3, 4}};
  for (const Fold& fold : Folds::blocks(order, 3).folds) {
    std::set<double> here;
    for (Index row : fold.validation) here.insert(order(row));
    for (Index row : fold.training) EXPECT_EQ(here.count(order(row)), 0u);
  }
  EXPECT_THROW(Folds::blocks(Vector{{1, 1, 1, 1, 1, 2}}, 3), InputError);
}

TEST(RegionFolds, PartClustersThatLieApart) {
  Random random(3);
  Matrix x(90, 2);
  for (Index i = 0; i < 90; ++i) {
    x(i, 0) = 10 * static_cast<double>(i % 3) + 0.1 * random.normal();
    x(i, 1) = -20 * static_cast<double>(i % 3 == 1) + 0.1 * random.normal();
  }
  const Folds folds = Folds::regions(x, 3, 1);
  expect_partition(folds, 90);
  for (const Fold& fold : folds.folds) {
    EXPECT_EQ(fold.validation.size(), 30u);
    for (Index row : fold.validation) EXPECT_EQ(row % 3, fold.validation.front() % 3);
  }
  EXPECT_THROW(Folds::regions(Matrix::Ones(20, 2), 3, 1), InputError) << "equal points do not part";
}

TEST(KMeans, EveryPointIsNearestToItsOwnMean) {
  Random random(4);
  Matrix x(200, 3);
  for (double& v : x.reshaped()) v = random.normal();
  const std::vector<Index> of = k_means(x, 6, 2);
  Matrix means = Matrix::Zero(6, 3);
  Vector count = Vector::Zero(6);
  for (Index i = 0; i < 200; ++i) {
    means.row(of[static_cast<std::size_t>(i)]) += x.row(i);
    count(of[static_cast<std::size_t>(i)]) += 1;
  }
  means.array().colwise() /= count.array();
  for (Index i = 0; i < 200; ++i) {
    Index nearest = 0;
    (means.rowwise() - x.row(i)).rowwise().squaredNorm().minCoeff(&nearest);
    EXPECT_EQ(nearest, of[static_cast<std::size_t>(i)]);
  }
}

}  // namespace
}  // namespace gpcv
