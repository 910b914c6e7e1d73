#include "prediction/transformed_distribution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/random.hpp"
#include "gpcv/posterior.hpp"
#include "prediction/standard_error.hpp"

namespace gpcv {
namespace {

constexpr double normal = std::numeric_limits<double>::infinity();

TransformedDistribution distribution(const char* text, double degrees = normal) {
  return {TargetTransform::parse(text), degrees};
}

double below(double z) { return probability_below(z, normal); }

TEST(TransformedDistribution, MomentsOfTheLogNormalDistributionAreThoseOfItsFormulas) {
  const TransformedDistribution log = distribution("log:-3");
  for (const double s : {1e-4, 0.1, 0.7, 1.5, 3.0}) {
    const auto [mean, variance] = log.moments(0.4, s);
    EXPECT_NEAR((mean - 3) / std::exp(0.4 + 0.5 * s * s), 1, 1e-12) << s;
    EXPECT_NEAR(variance / (std::expm1(s * s) * std::exp(0.8 + s * s)), 1, 1e-9) << s;
  }
}

TEST(TransformedDistribution, MomentsOfACutSquareAreThoseOfItsFormula) {
  // E max(T, 0)² = (c² + s²) Φ(c/s) + c s φ(c/s)
  const TransformedDistribution sqrt = distribution("sqrt");
  for (const double c : {-1.0, 0.0, 0.5, 4.0}) {
    const double s = 0.8, density = std::exp(-0.5 * c * c / (s * s)) / std::sqrt(2 * std::numbers::pi);
    EXPECT_NEAR(sqrt.moments(c, s).mean, (c * c + s * s) * below(c / s) + c * s * density, 1e-4) << c;
  }
}

TEST(TransformedDistribution, ScoresOfTheLogNormalDistributionAreThoseOfItsFormulas) {
  const TransformedDistribution log = distribution("log");
  for (const double s : {0.05, 0.5, 1.0, 2.0}) {
    for (const double y : {1e-3, 0.4, 1.2, 3.0, 50.0}) {
      const double c = 0.3, w = (std::log(y) - c) / s, mean = std::exp(c + 0.5 * s * s);
      // y (2Φ(w) − 1) − 2 e^{c + s²/2} (Φ(w − s) + Φ(s/√2) − 1)
      const double crps = y * (2 * below(w) - 1) - 2 * mean * (below(w - s) + below(s / std::numbers::sqrt2) - 1);
      EXPECT_NEAR(log.crps(c, s, y), crps, 1e-9 * std::max(mean, y)) << s << " " << y;
      EXPECT_NEAR(log.negative_log_density(c, s, y),
                  0.5 * std::log(2 * std::numbers::pi) + 0.5 * w * w + std::log(s * y), 1e-12);
    }
  }
}

TEST(TransformedDistribution, AnAffineTransformChangesNothing) {
  const TransformedDistribution same = distribution("yeo-johnson:1:5:2"), cut = distribution("yeo-johnson:1:5:2", 4);
  for (const double y : {-3.0, 4.9, 5.0, 6.1, 14.0}) {
    const double s = 0.7, z = ((y - 5) / 2 - 0.2) / s;
    EXPECT_NEAR(same.crps(0.2, s, y), 2 * s * standard_crps(z, normal), 1e-10) << y;
    // Cut tails miss a little of E|Y − Y'|.
    EXPECT_NEAR(cut.crps(0.2, s, y), 2 * s * standard_crps(z, 4), 0.02) << y;
    EXPECT_NEAR(cut.negative_log_density(0.2, s, y), std::log(2 * s) + standard_negative_log_density(z, 4), 1e-12);
  }
  EXPECT_NEAR(same.moments(0.2, 0.7).mean, 5.4, 1e-12);
  EXPECT_NEAR(same.moments(0.2, 0.7).variance, 1.96, 1e-10);
  EXPECT_NEAR(cut.moments(0.2, 0.7).mean, 5.4, 1e-9);
  EXPECT_NEAR(cut.moments(0.2, 0.7).variance, 1.96, 0.12);
}

TEST(TransformedDistribution, DensitiesHaveTheIntegralOne) {
  for (const char* text : {"log", "logit:0:100", "sqrt", "yeo-johnson:0.3", "yeo-johnson:0", "yeo-johnson:1.9"}) {
    for (const double degrees : {normal, 5.0}) {
      const TransformedDistribution d = distribution(text, degrees);
      const TargetTransform t = TargetTransform::parse(text);
      // Steps are equal in T(y), so that both tails are seen; dy = dT/T'.
      const double c = 1.2, s = 0.4, step = 4e-3;
      double sum = t.kind == TargetTransform::Kind::sqrt ? std::exp(-d.negative_log_density(c, s, 0)) : 0;
      for (double u = -40; u < 40; u += step) {
        const double from = t.inverse(c + s * u), to = t.inverse(c + s * (u + step)),
                     y = t.inverse(c + s * (u + step / 2));
        if (to > from) sum += std::exp(-d.negative_log_density(c, s, y)) * (to - from);
      }
      EXPECT_NEAR(sum, 1, 2e-4) << text << " " << degrees;
    }
  }
}

/// Sample moments and score of a distribution with cut tails.
struct Simulated {
  double mean = 0, variance = 0, crps = 0;
};

Simulated simulated(const TargetTransform& t, double c, double s, double degrees, double y) {
  Random random(3);
  const int n = 40000;
  Vector draws(n);
  for (double& value : draws) {
    const double p = std::clamp(random.uniform(), cut_tail, 1 - cut_tail);
    value = t.inverse(c + s * quantile_factor(p, degrees));
  }
  Simulated out;
  out.mean = draws.mean();
  out.variance = (draws.array() - out.mean).square().mean();
  const auto half = n / 2;
  out.crps = (draws.array() - y).abs().mean() - 0.5 * (draws.head(half) - draws.tail(half)).cwiseAbs().mean();
  return out;
}

TEST(TransformedDistribution, HeavyTailsAreCut) {
  for (const char* text : {"log", "logit", "sqrt", "yeo-johnson:0.4"}) {
    for (const double degrees : {3.0, 7.0}) {
      const TransformedDistribution d = distribution(text, degrees);
      const TargetTransform t = TargetTransform::parse(text);
      const double c = 0.5, s = 0.6, y = t.inverse(0.9);
      const Simulated expected = simulated(t, c, s, degrees, y);
      EXPECT_NEAR(d.moments(c, s).mean, expected.mean, 0.03) << text << " " << degrees;
      EXPECT_NEAR(d.moments(c, s).variance / expected.variance, 1, 0.1) << text << " " << degrees;
      EXPECT_NEAR(d.crps(c, s, y), expected.crps, 0.02) << text << " " << degrees;
    }
  }
}

TEST(TransformedDistribution, ScoresAreDefinedEverywhere) {
  const TransformedDistribution log = distribution("log"), logit = distribution("logit", 4),
                                sqrt = distribution("sqrt");
  EXPECT_EQ(log.negative_log_density(0, 1, -1), normal);
  EXPECT_NEAR(log.crps(0, 0.5, -1), log.crps(0, 0.5, 1e-300) + 1, 1e-9) << "further outside by 1";
  EXPECT_NEAR(logit.crps(0, 0.5, 3), logit.crps(0, 0.5, 1) + 2, 1e-9);
  EXPECT_NEAR(sqrt.negative_log_density(0.5, 1, 0), -std::log(below(-0.5)), 1e-12) << "a probability";
  EXPECT_EQ(log.crps(0.2, 0, 2), 2 - std::exp(0.2));
  EXPECT_EQ(log.moments(0.2, 0).variance, 0);
}

TEST(TransformedPrediction, QuantilesAreImages) {
  Prediction p{Vector::Constant(2, 1.0), Vector::Constant(2, 0.25), 5};
  p.mean(1) = std::nan("");
  const Prediction y = in_target_units(TargetTransform::parse("log"), p);
  EXPECT_DOUBLE_EQ(y.at(0)(0), std::exp(1.0)) << "the median";
  EXPECT_DOUBLE_EQ(y.at(-1.5)(0), std::exp(1 - 0.75));
  EXPECT_NEAR(y.standardised(Vector::Constant(2, std::exp(2.0)))(0), 2, 1e-12);
  EXPECT_GT(y.mean(0), std::exp(1.0));
  EXPECT_TRUE(std::isnan(y.mean(1)));
  EXPECT_TRUE(std::isnan(y.at(1)(1)));
  const Prediction medians = in_target_units(TargetTransform::parse("log"), {Vector::Ones(1), {}});
  EXPECT_DOUBLE_EQ(medians.mean(0), std::exp(1.0)) << "without variances";
  const Prediction some{Vector::Ones(2), Vector{{0.25, std::nan("")}}};
  const Prediction partly = in_target_units(TargetTransform::parse("log"), some);
  EXPECT_EQ(partly.mean(0), partly.mean(1)) << "a typical variance";
  EXPECT_TRUE(std::isnan(partly.variance(1)));
}

}  // namespace
}  // namespace gpcv
