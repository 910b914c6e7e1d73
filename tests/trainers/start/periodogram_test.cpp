#include "trainers/start/periodogram.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/random.hpp"

namespace gpcv {
namespace {

TEST(Periodogram, FindsPeriodsOfUnevenRowsOnATrend) {
  for (const double period : {0.37, 2.3}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Random random(seed);
      Vector x(300), y(300);
      for (Index i = 0; i < x.size(); ++i) {
        x(i) = 13 * period * random.uniform();
        y(i) = 0.3 * x(i) * x(i) / period + std::sin(2 * std::numbers::pi * x(i) / period) + 0.5 * random.normal();
      }
      const std::vector<double> found = likely_periods(x, y, 3);
      ASSERT_FALSE(found.empty()) << period << " " << seed;
      EXPECT_NEAR(found.front(), period, 0.02 * period) << seed;
    }
  }
}

TEST(Periodogram, UnevenRowsShowPeriodsShorterThanTheirGaps) {
  Random random(1);
  Vector x(150), y(150);
  for (Index i = 0; i < x.size(); ++i) {
    x(i) = 100 * random.uniform();
    y(i) = std::sin(2 * std::numbers::pi * x(i) / 0.83) + 0.1 * random.normal();
  }
  const std::vector<double> found = likely_periods(x, y, 1);
  ASSERT_FALSE(found.empty());
  EXPECT_NEAR(found.front(), 0.83, 0.002);

  // Evenly spaced rows cannot tell a period from its alias, of which the longer one is meant.
  for (Index i = 0; i < x.size(); ++i) {
    x(i) = static_cast<double>(i);
    y(i) = std::sin(2 * std::numbers::pi * x(i) / 7.3) + 0.1 * random.normal();
  }
  const std::vector<double> even = likely_periods(x, y, 2);
  ASSERT_EQ(even.size(), 1u);
  EXPECT_NEAR(even.front(), 7.3, 0.1);
}

TEST(Periodogram, NoiseHasNoPeriod) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    Vector x(200), y(200);
    for (Index i = 0; i < x.size(); ++i) {
      x(i) = random.uniform();
      y(i) = random.normal();
    }
    found += !likely_periods(x, y, 3).empty();
  }
  EXPECT_LE(found, 2);
}

TEST(Periodogram, DegenerateInputsHaveNone) {
  EXPECT_TRUE(likely_periods(Vector::Ones(100), Vector::LinSpaced(100, 0, 1), 3).empty());
  EXPECT_TRUE(likely_periods(Vector::LinSpaced(100, 0, 1), Vector::Zero(100), 3).empty());
  EXPECT_TRUE(likely_periods(Vector::LinSpaced(10, 0, 1), Vector::Ones(10), 3).empty());
}

}  // namespace
}  // namespace gpcv
