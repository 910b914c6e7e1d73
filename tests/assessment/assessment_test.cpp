#include "gpcv/assessment.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.hpp"

namespace gpcv {
namespace {

struct Sample {
  Prediction prediction;
  Vector y;
};

/// y = mean + true_deviation · normal, predicted with deviation 1.
Sample sample(Index n, double true_deviation) {
  Random random(3);
  Sample s{{Vector(n), Vector::Ones(n)}, Vector(n)};
  for (Index i = 0; i < n; ++i) {
    s.prediction.mean(i) = random.uniform(-5, 5);
    s.y(i) = s.prediction.mean(i) + true_deviation * random.normal();
  }
  return s;
}

Calibration calibration_of(const Sample& s) { return assess(s.prediction, s.y).calibration; }

TEST(Assessment, TellsHonestIntervalsFromOthers) {
  EXPECT_EQ(calibration_of(sample(2000, 1)), Calibration::good);
  EXPECT_EQ(calibration_of(sample(2000, 1.3)), Calibration::too_narrow);
  EXPECT_EQ(calibration_of(sample(2000, 0.7)), Calibration::too_wide);
  Sample heavy = sample(2000, 0.5);
  for (Index i = 0; i < 200; ++i) heavy.y(10 * i) += 6;
  EXPECT_EQ(calibration_of(heavy), Calibration::wrong_shape);
}

TEST(Assessment, ForgivesWhatChanceExplains) {
  EXPECT_EQ(judged({{0.5, 0.62, 0.05}, {0.95, 0.91, 0.02}}), Calibration::good);
  EXPECT_EQ(judged({{0.5, 0.62, 0.01}, {0.95, 0.96, 0.004}}), Calibration::too_wide);
  EXPECT_EQ(judged({{0.5, 0.62, 0.01}, {0.95, 0.94, 0.004}}), Calibration::wrong_shape) << "peaked, heavy tails";
  EXPECT_EQ(judged({{0.5, 0.51, 0.001}}), Calibration::good) << "certain, but too small to matter";
  EXPECT_EQ(judged({}), Calibration::unknown);
}

TEST(Assessment, CountsEveryRowOnceInTheHistogram) {
  Sample s = sample(500, 1);
  s.y(7) += 100;
  s.y(8) -= 100;
  const Assessment a = assess(s.prediction, s.y);
  EXPECT_EQ(a.histogram.counts.sum(), 500);
  EXPECT_NEAR(a.histogram.expected.sum(), 500, 1e-9);
  EXPECT_EQ(a.histogram.edges.size(), a.histogram.counts.size() + 1);
  EXPECT_EQ(a.outliers, 2);
  EXPECT_NEAR(a.expected_outliers, 500 * 6.334e-5, 1e-4);
}

TEST(Assessment, FindsTheWorstRowAmongThoseWithAPrediction) {
  Sample s = sample(50, 1);
  s.prediction.mean(0) = std::nan("");
  s.prediction.variance(1) = std::nan("");
  s.y(1) += 500;  // nothing says how far off that is
  s.y(20) -= 50;
  const Assessment a = assess(s.prediction, s.y);
  EXPECT_EQ(a.rows.size(), 49u);
  EXPECT_EQ(a.with_deviation, 48);
  EXPECT_EQ(a.rows[static_cast<std::size_t>(a.worst)], 20);
  EXPECT_LT(a.worst_z, -40);
  EXPECT_GT(a.metrics.rmse, 70) << "of all rows with a mean";
  EXPECT_EQ(a.metrics.n, 49);
}

TEST(Assessment, DoesWithoutVariances) {
  Sample s = sample(40, 1);
  s.prediction.variance.resize(0);
  const Assessment a = assess(s.prediction, s.y);
  EXPECT_EQ(a.rows.size(), 40u);
  EXPECT_EQ(a.calibration, Calibration::unknown);
  EXPECT_TRUE(a.curve.empty());
  EXPECT_TRUE(assess({}, Vector()).empty());
}

TEST(Assessment, SeesErrorsThatGrowAndErrorsThatLean) {
  Sample s = sample(1000, 1);
  EXPECT_LT(std::abs(assess(s.prediction, s.y).spread_trend), 0.1);
  EXPECT_LT(std::abs(assess(s.prediction, s.y).skewness), 0.3);
  Sample growing = s, leaning = s;
  growing.y = s.prediction.mean.array() + (s.y - s.prediction.mean).array() * (s.prediction.mean.array() / 2).exp();
  EXPECT_GT(assess(growing.prediction, growing.y).spread_trend, 0.4);
  leaning.y = s.prediction.mean.array() - (s.y - s.prediction.mean).array().exp();
  EXPECT_LT(assess(leaning.prediction, leaning.y).skewness, -2);
}

TEST(Thinned, KeepsTheOrderAndTheSpread) {
  EXPECT_EQ(thinned(4, 10), (std::vector<Index>{0, 1, 2, 3}));
  EXPECT_EQ(thinned(10, 5), (std::vector<Index>{0, 2, 4, 6, 8}));
  EXPECT_TRUE(thinned(0, 5).empty());
  EXPECT_EQ(thinned(1000003, 2000).size(), 2000u);
}

}  // namespace
}  // namespace gpcv
