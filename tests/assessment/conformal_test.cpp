#include "assessment/conformal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/random.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

/// Noise with heavy tails that grows with x: a Gaussian interval is wrong here.
Dataset heavy(Index n, std::uint64_t seed) {
  Random random(seed);
  Dataset data{Matrix(n, 1), Vector(n), {}};
  for (Index i = 0; i < n; ++i) {
    const double x = random.uniform(0, 3), t = random.normal() / std::sqrt(0.2 + random.uniform());
    data.x(i, 0) = x;
    data.y(i) = std::sin(2 * x) + 0.1 * (1 + x) * t * t * t;
  }
  data.columns = {{"x"}, {0}, "y", 1, 2, true};
  return data;
}

TEST(Conformal, KeepsItsPromiseWhateverTheNoise) {
  // 200 repetitions of 100 new rows each, 90 %: the mean coverage must be within two points.
  double covered = 0, gaussian = 0;
  constexpr int repetitions = 200;
  FitOptions options;
  options.kernel = Kernel::parse("se(l=0.7:fixed, s2=1:fixed)");
  options.noise = Noise::parse("0.1:fixed");
  options.calibration = 0.5;
  for (std::uint64_t seed = 0; seed < repetitions; ++seed) {
    options.train.seed = seed;
    const Model model = fit(heavy(120, 2 * seed + 1000), options).model;
    const Dataset test = heavy(100, 2 * seed + 1001);
    const Prediction p = Posterior(model, {}).predict(test.x);
    const auto distance = (test.y - p.mean).array().abs() / p.variance.array().sqrt();
    covered += (distance <= conformal_factor(model.conformal, 0.9)).cast<double>().mean() / repetitions;
    gaussian += (distance <= interval_factor(0.9)).cast<double>().mean() / repetitions;
  }
  EXPECT_NEAR(covered, 0.9, 0.02);
  EXPECT_GT(std::abs(gaussian - 0.9), 0.02) << "the example must be one that a Gaussian interval gets wrong";
}

TEST(Conformal, TheFactorIsTheRankedScore) {
  const Conformal conformal{Vector::LinSpaced(9, 1, 9), "exact"};
  EXPECT_EQ(conformal_factor(conformal, 0.9), 9);  // ⌈10·0.9⌉ = 9
  EXPECT_EQ(conformal_factor(conformal, 0.5), 5);
  EXPECT_EQ(conformal_factor(conformal, 0.51), 6);
  EXPECT_THROW(conformal_factor(conformal, 0.95), InputError) << "nine rows cannot promise so much";
  EXPECT_THROW(conformal_factor({}, 0.5), InputError);
}

TEST(Conformal, NeedsTheColumnThatFoldsAreMadeBy) {
  using Kind = FoldOptions::Kind;
  for (const Kind kind : {Kind::groups, Kind::column, Kind::time, Kind::blocks}) {
    EXPECT_THROW(set_aside(heavy(50, 1), {.kind = kind, .column = "g"}, 0.2, 1), InputError) << "nobody read it";
  }
}

TEST(Conformal, RowsSetAsideAreNotTrainedOn) {
  const Dataset data = heavy(100, 1);
  FitOptions options;
  options.calibration = 0.3;
  const Model model = fit(data, options).model;
  EXPECT_EQ(model.x.rows(), 70);
  EXPECT_EQ(model.conformal.scores.size(), 30);
  EXPECT_TRUE(std::is_sorted(model.conformal.scores.begin(), model.conformal.scores.end()));
}

TEST(Conformal, GroupsAreSetAsideWhole) {
  Dataset data = heavy(100, 2);
  for (Index i = 0; i < 100; ++i) data.labels.push_back(i % 10);
  const SetAside parts = set_aside(data, {.kind = FoldOptions::Kind::groups}, 0.3, 1);
  std::set<Index> aside(parts.aside.labels.begin(), parts.aside.labels.end());
  EXPECT_EQ(aside.size(), 3u);
  for (Index label : parts.training.labels) EXPECT_EQ(aside.count(label), 0u);
  EXPECT_EQ(parts.training.rows() + parts.aside.rows(), 100);
}

TEST(Conformal, InTimeTheLatestRowsAreSetAside) {
  Dataset data = heavy(40, 3);
  data.time = Vector::LinSpaced(40, 0, 39).reverse();
  const SetAside parts = set_aside(data, {.kind = FoldOptions::Kind::time}, 0.25, 1);
  EXPECT_EQ(parts.aside.rows(), 10);
  EXPECT_GT(parts.aside.time.minCoeff(), parts.training.time.maxCoeff());
}

TEST(Conformal, AFractionThatLeavesNothingIsRefused) {
  const Dataset data = heavy(10, 4);
  EXPECT_THROW(set_aside(data, {}, 0.01, 1), InputError);
  EXPECT_THROW(set_aside(data, {}, 0.95, 1), InputError);
  FitOptions options;
  options.calibration = 1.5;
  EXPECT_THROW(fit(data, options), InputError);
}

}  // namespace
}  // namespace gpcv
