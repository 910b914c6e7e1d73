#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "core/random.hpp"
#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = std::numbers::pi;

Vector vector(std::initializer_list<double> values) {
  return Eigen::Map<const Vector>(values.begin(), static_cast<Index>(values.size()));
}

/// ∫ (F(t) − 1[t ≥ y])² dt for F = N(m, σ²), by Simpson's rule on either side of y.
double integrated_crps(double m, double sigma, double y) {
  auto cdf = [&](double t) { return 0.5 * std::erfc(-(t - m) / (sigma * std::numbers::sqrt2)); };
  auto simpson = [](double from, double to, auto f) {
    const int steps = 20'000;
    const double h = (to - from) / steps;
    double sum = f(from) + f(to);
    for (int i = 1; i < steps; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(from + i * h);
    return sum * h / 3;
  };
  const double reach = 12 * sigma;
  const double below = simpson(std::min(m - reach, y), y, [&](double t) { return cdf(t) * cdf(t); });
  const double above = simpson(y, std::max(m + reach, y), [&](double t) { return (1 - cdf(t)) * (1 - cdf(t)); });
  return below + above;
}

TEST(Metrics, CrpsMatchesItsIntegral) {
  for (double sigma : {0.01, 1.0, 30.0}) {
    for (double zeta : {-6.0, -1.3, -0.01, 0.0, 0.4, 2.0, 9.0}) {
      const double y = 2 + zeta * sigma;
      const double crps = evaluate({vector({2}), vector({sigma * sigma})}, vector({y})).crps;
      EXPECT_NEAR(crps, integrated_crps(2, sigma, y), 1e-9 * sigma) << sigma << " " << zeta;
    }
  }
}

TEST(Metrics, MatchValuesComputedByHand) {
  // Residuals 1, −2, 0, 3 about targets 1, 2, 3, 6 whose mean is 3 and population variance 3.5.
  const Metrics metrics = evaluate({vector({0, 4, 3, 3}), vector({1, 4, 9, 1})}, vector({1, 2, 3, 6}));
  EXPECT_EQ(metrics.n, 4);
  EXPECT_DOUBLE_EQ(metrics.rmse, std::sqrt(14.0 / 4));
  EXPECT_DOUBLE_EQ(metrics.smse, 1);
  // ½ log 2π + ¼[½ log 4 + ½ log 9] + ⅛[1 + 1 + 0 + 9]
  EXPECT_NEAR(metrics.nlpd, 0.5 * std::log(2 * pi) + std::log(6) / 4 + 11.0 / 8, 1e-14);
  // |r|/σ = 1, 1, 0, 3 against 0.674, 1.28 and 1.96.
  EXPECT_DOUBLE_EQ(metrics.coverage50, 0.25);
  EXPECT_DOUBLE_EQ(metrics.coverage80, 0.75);
  EXPECT_DOUBLE_EQ(metrics.coverage95, 0.75);
}

TEST(Metrics, CrpsAtTheMeanIsItsClosedForm) {
  // σ[2φ(0) − 1/√π] = σ(√2 − 1)/√π
  EXPECT_NEAR(evaluate({vector({5}), vector({4})}, vector({5})).crps, 2 * (std::sqrt(2) - 1) / std::sqrt(pi), 1e-15);
}

TEST(Metrics, CrpsStaysFiniteForTinyVariances) {
  EXPECT_NEAR(evaluate({vector({0}), vector({1e-300})}, vector({3})).crps, 3, 1e-14);
}

TEST(Metrics, CalibratedPredictionsCoverTheNominalFraction) {
  const Index n = 200'000;
  Random random(17);
  Prediction prediction{Vector(n), Vector(n)};
  Vector y(n);
  double entropy = 0, expected_crps = 0, expected_mse = 0;
  for (Index i = 0; i < n; ++i) {
    prediction.mean(i) = random.uniform(-10, 10);
    prediction.variance(i) = random.uniform(0.1, 5);
    const double sigma = std::sqrt(prediction.variance(i));
    y(i) = prediction.mean(i) + sigma * random.normal();
    entropy += 0.5 * std::log(2 * pi * std::numbers::e * prediction.variance(i)) / static_cast<double>(n);
    expected_crps += sigma / std::sqrt(pi) / static_cast<double>(n);
    expected_mse += prediction.variance(i) / static_cast<double>(n);
  }
  const Metrics metrics = evaluate(prediction, y);
  EXPECT_NEAR(metrics.coverage50, 0.50, 0.005);
  EXPECT_NEAR(metrics.coverage80, 0.80, 0.004);
  EXPECT_NEAR(metrics.coverage95, 0.95, 0.003);
  EXPECT_NEAR(metrics.nlpd, entropy, 0.008);
  EXPECT_NEAR(metrics.crps, expected_crps, 0.008);
  EXPECT_NEAR(metrics.rmse, std::sqrt(expected_mse), 0.02);
}

TEST(Metrics, PredictingTheMeanOfTheTargetsGivesAnSmseOfOne) {
  const Vector y = vector({1e6 + 1, 1e6 + 2, 1e6 + 4});
  EXPECT_NEAR(evaluate({Vector::Constant(3, y.mean()), {}}, y).smse, 1, 1e-9);
}

TEST(Metrics, TargetsThatDoNotVaryHaveNoSmse) {
  const Metrics metrics = evaluate({Vector::Zero(10), Vector::Ones(10)}, Vector::Constant(10, 0.1));
  EXPECT_TRUE(std::isnan(metrics.smse));
  EXPECT_DOUBLE_EQ(metrics.rmse, 0.1);
}

TEST(Metrics, WithoutVariancesOnlyErrorsAreScored) {
  const Metrics metrics = evaluate({vector({1, 2}), {}}, vector({1, 4}));
  EXPECT_DOUBLE_EQ(metrics.rmse, std::sqrt(2));
  for (double value : {metrics.nlpd, metrics.crps, metrics.coverage50, metrics.coverage80, metrics.coverage95}) {
    EXPECT_TRUE(std::isnan(value));
  }
}

TEST(Metrics, AVarianceOfZeroIsACertainPrediction) {
  const Metrics wrong = evaluate({vector({1}), vector({0})}, vector({3}));
  EXPECT_DOUBLE_EQ(wrong.crps, 2);
  EXPECT_EQ(wrong.nlpd, inf);
  EXPECT_EQ(wrong.coverage95, 0);
  const Metrics right = evaluate({vector({3}), vector({0})}, vector({3}));
  EXPECT_EQ(right.crps, 0);
  EXPECT_EQ(right.nlpd, -inf);
  EXPECT_EQ(right.coverage50, 1);
}

TEST(Metrics, UnusableInputIsRefused) {
  EXPECT_THROW(evaluate({Vector(), Vector()}, Vector()), InputError);
  EXPECT_THROW(evaluate({vector({1, 2}), {}}, vector({1})), InputError);
  EXPECT_THROW(evaluate({vector({1, 2}), vector({1})}, vector({1, 2})), InputError);
  EXPECT_THROW(evaluate({vector({1}), vector({-1})}, vector({1})), InputError);
  EXPECT_THROW(evaluate({vector({1}), vector({nan})}, vector({1})), InputError);
  EXPECT_THROW(evaluate({vector({nan}), vector({1})}, vector({1})), InputError);
  EXPECT_THROW(evaluate({vector({1}), vector({1})}, vector({inf})), InputError);
}

TEST(IntervalFactor, MatchesKnownQuantiles) {
  EXPECT_DOUBLE_EQ(interval_factor(0.5), 0.6744897501960817);
  EXPECT_DOUBLE_EQ(interval_factor(0.8), 1.2815515655446004);
  EXPECT_DOUBLE_EQ(interval_factor(0.9), 1.6448536269514722);
  EXPECT_DOUBLE_EQ(interval_factor(0.95), 1.959963984540054);
  EXPECT_DOUBLE_EQ(interval_factor(0.99), 2.5758293035489004);
}

TEST(IntervalFactor, InvertsTheErrorFunctionEverywhere) {
  for (int i = 1; i < 1000; ++i) {
    const double p = i / 1000.0;
    EXPECT_NEAR(std::erf(interval_factor(p) / std::numbers::sqrt2), p, 4e-16) << p;
  }
  for (double p : {5e-324, 1e-300, 1e-160, 1e-20, 1e-9}) {
    EXPECT_NEAR(interval_factor(p) / (p * std::sqrt(pi / 2)), 1, p < 1e-307 ? 1 : 1e-14) << p;
  }
  for (double q : {1e-3, 1e-6, 1e-9, 1e-12, 1e-15, std::numeric_limits<double>::epsilon() / 2}) {
    const double exact_q = 1 - (1 - q);
    EXPECT_NEAR(std::erfc(interval_factor(1 - q) / std::numbers::sqrt2) / exact_q, 1, 3e-14) << q;
  }
}

TEST(IntervalFactor, GrowsWithTheProbability) {
  double last = 0;
  for (int i = 1; i < 100'000; ++i) {
    const double z = interval_factor(i / 100'000.0);
    ASSERT_GT(z, last) << i;
    last = z;
  }
}

TEST(IntervalFactor, ProbabilitiesOutsideZeroToOneAreRefused) {
  for (double p : {-0.1, 0.0, 1.0, 1.5, inf, nan}) EXPECT_THROW(interval_factor(p), InputError) << p;
}

}  // namespace
}  // namespace gpcv
