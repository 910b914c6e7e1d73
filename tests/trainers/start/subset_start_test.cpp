#include "trainers/start/subset_start.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "problem/data_scales.hpp"
#include "problem/parameters.hpp"
#include "support/dense_holdout.hpp"
#include "trainers/likelihood/likelihood.hpp"

namespace gpcv {
namespace {

TEST(SubsetStart, RandomRowsAreAscendingDistinctAndNested) {
  for (std::uint64_t seed : {1u, 2u, 77u}) {
    std::vector<Index> larger = random_rows(200, 200, seed);
    EXPECT_EQ(larger.size(), 200u);
    for (Index count : {150, 40, 3}) {
      const std::vector<Index> rows = random_rows(200, count, seed);
      ASSERT_EQ(rows.size(), static_cast<std::size_t>(count));
      EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
      EXPECT_EQ(std::set<Index>(rows.begin(), rows.end()).size(), rows.size());
      EXPECT_TRUE(std::includes(larger.begin(), larger.end(), rows.begin(), rows.end()));
      larger = rows;
    }
  }
  EXPECT_NE(random_rows(200, 20, 1), random_rows(200, 20, 2));
  EXPECT_EQ(random_rows(5, 20, 1), random_rows(5, 5, 1));
}

TEST(SubsetStart, APartHasTheRowsAndWhatIsLeftOfTheFolds) {
  Problem problem = drawn_problem("se(l=0.5)", "se(l=2)", "0.2", 30, 1);
  problem.folds = Folds::interleaved(30, 3);
  const std::vector<Index> rows{0, 3, 4, 7, 9};  // no row of fold 2
  const Problem part = part_of(problem, rows);
  EXPECT_EQ(part.x, problem.x(rows, Eigen::all));
  EXPECT_EQ(part.y, problem.y(rows));
  EXPECT_EQ(part.kernel, problem.kernel);
  EXPECT_EQ(part.noise.variance, problem.noise.variance);
  ASSERT_EQ(part.folds.size(), 2);
  EXPECT_EQ(part.folds.rows, 5);
  EXPECT_THAT(part.folds.folds[0].validation, testing::ElementsAre(0, 1, 4));
  EXPECT_THAT(part.folds.folds[1].training, testing::ElementsAre(0, 1, 4));
}

TEST(SubsetStart, TheSizeOfThePartFollowsTheTimeThereIs) {
  const Problem problem = drawn_problem("se(l=0.5)", "se", "0.2", 900, 1);
  TrainOptions options;
  const Index hurried = subset_rows(problem, 0, options), patient = subset_rows(problem, 1e9, options);
  EXPECT_EQ(hurried, 200);
  EXPECT_EQ(patient, 900);
  Index last = hurried;
  for (double seconds : {0.1, 1.0, 10.0, 100.0}) {
    const Index rows = subset_rows(problem, seconds, options);
    EXPECT_GE(rows, last);
    last = rows;
  }
  EXPECT_EQ(subset_rows(drawn_problem("se(l=0.5)", "se", "0.2", 50, 1), 0, options), 50);
}

TEST(SubsetStart, StartsAtAMaximumOfTheLikelihood) {
  for (const char* kernel : {"se", "se(l=0.4:fixed) + linear", "matern32(s2=1:fixed)"}) {
    const Problem problem = with_default_start(drawn_problem("se(l=0.5)", kernel, "0.2", 250, 3));
    TrainOptions options;
    options.restarts = 1;
    const std::vector<Vector> starts = subset_starts(problem, 250, options);
    ASSERT_EQ(starts.size(), 1u);
    const auto value = [&](const Vector& u) {
      return negative_log_likelihood(kernel_at(problem, u), noise_at(problem, u), problem.x, problem.y, true, 1);
    };
    EXPECT_LT(value(starts[0]).value, value(log_parameters(problem).value).value);
    const LogParameters u = log_parameters(problem);
    for (Index i = 0; i < u.value.size(); ++i) {
      const bool inside = starts[0](i) > u.lower(i) + 1e-3 && starts[0](i) < u.upper(i) - 1e-3;
      if (inside) {
        EXPECT_LT(std::abs(value(starts[0]).gradient(i)), 1) << kernel << ", parameter " << i;
      }
    }
  }
}

TEST(SubsetStart, OfAFewRowsIsNearThatOfAll) {
  Problem problem = with_default_start(drawn_problem("se(l=0.5)", "se", "0.2", 600, 3));
  problem.folds = Folds::random(600, 5, 1);
  TrainOptions options;
  options.restarts = 1;
  const Vector few = subset_starts(problem, 200, options).front(), all = subset_starts(problem, 600, options).front();
  EXPECT_LT((few - all).cwiseAbs().maxCoeff(), 1);
  EXPECT_NEAR(few(0), std::log(0.5), 0.4);
}

TEST(SubsetStart, DistinctOptimaComeBestFirst) {
  const Problem problem = with_default_start(drawn_problem("lp(l=1, p=1)", "lp", "0.2", 120, 8));
  TrainOptions options;
  options.restarts = 6;
  const std::vector<Vector> starts = subset_starts(problem, 120, options);
  ASSERT_FALSE(starts.empty());
  EXPECT_LE(starts.size(), 6u);
  double last = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const double value = negative_log_likelihood(kernel_at(problem, starts[i]), noise_at(problem, starts[i]), problem.x,
                                                 problem.y, true, 1)
                             .value;
    EXPECT_GE(value, last - 1e-6 * std::abs(last));
    last = value;
    for (std::size_t j = 0; j < i; ++j) EXPECT_GE((starts[i] - starts[j]).cwiseAbs().maxCoeff(), 0.1);
  }
}

TEST(SubsetStart, IsTheProblemsOwnWhereNothingCouldBeTrained) {
  Problem problem = drawn_problem("se(l=0.5)", "se(l=0.7, s2=1.5)", "0.2", 60, 3);
  TrainOptions options;
  options.compute.stop = [] { return true; };
  const std::vector<Vector> starts = subset_starts(problem, 60, options);
  ASSERT_FALSE(starts.empty());
  EXPECT_TRUE(starts.front().allFinite());
}

}  // namespace
}  // namespace gpcv
