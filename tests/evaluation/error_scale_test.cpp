#include "evaluation/error_scale.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.hpp"

namespace gpcv {
namespace {

/// A draw of Student's t with whole degrees of freedom, of scale 1.
double student(int degrees, Random& random) {
  double squares = 0;
  for (int i = 0; i < degrees; ++i) squares += std::pow(random.normal(), 2);
  return random.normal() / std::sqrt(squares / degrees);
}

struct Sample {
  Vector residuals, variances;
};

/// Errors with the scale² a v + b; infinite degrees for normal ones.
Sample sample(Index n, const PredictiveScale& truth, std::uint64_t seed) {
  Random random(seed);
  Sample s{Vector(n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    s.variances(i) = std::exp(random.normal());
    const double z = std::isinf(truth.degrees) ? random.normal() : student(static_cast<int>(truth.degrees), random);
    s.residuals(i) = std::sqrt(truth.factor * s.variances(i) + truth.added) * z;
  }
  return s;
}

TEST(ErrorScale, RecoversTheFactorAndWhatWasAdded) {
  for (const auto& [factor, added] : {std::pair{2.0, 0.1}, {0.5, 0.0}, {1.0, 0.5}}) {
    const Sample s = sample(2000, {.factor = factor, .added = added}, 3);
    for (const bool predictive : {false, true}) {
      const PredictiveScale found = error_scale(s.residuals, s.variances, {.predictive = predictive});
      EXPECT_NEAR(found.factor, factor, 0.2 * factor);
      EXPECT_NEAR(found.added, added, 0.2);
      EXPECT_TRUE(std::isinf(found.degrees));
    }
  }
}

TEST(ErrorScale, FindsHeavyTailsAndOnlyThese) {
  int heavy = 0, light = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Sample t = sample(300, {.factor = 2, .degrees = 3}, seed), n = sample(300, {.factor = 2}, seed);
    const PredictiveScale found = error_scale(t.residuals, t.variances, {});
    heavy += std::isfinite(found.degrees);
    EXPECT_NEAR(std::log(found.factor), std::log(2.0), 0.7) << seed;
    light += std::isfinite(error_scale(n.residuals, n.variances, {}).degrees);
  }
  EXPECT_EQ(heavy, 20);
  EXPECT_LE(light, 2);
}

TEST(ErrorScale, ARowBesideItsEqualDoesNotDecide) {
  Sample s = sample(500, {}, 4);
  s.variances.setOnes();
  s.variances(0) = 1e-14;
  const PredictiveScale found = error_scale(s.residuals, s.variances, {.predictive = false});
  EXPECT_NEAR(found.factor + found.added, 1, 0.3);
}

TEST(ErrorScale, RowsOfOneVarianceLeaveTheShapeToThePrior) {
  Sample s = sample(400, {.factor = 1}, 5);
  s.residuals.array() /= s.variances.array().sqrt();  // of variance 1, whatever was stated
  s.variances.setConstant(1.3);
  const PredictiveScale found = error_scale(s.residuals, s.variances, {});
  EXPECT_GT(found.factor, 0.5) << "the deviation must not become the same everywhere";
}

TEST(ErrorScale, BeyondWhatWasSeenVariancesCountAsTheyAre) {
  const PredictiveScale scale{.factor = 0.01, .added = 0.001, .usual = 0.1, .rare = 0.1, .largest = 0.3};
  EXPECT_DOUBLE_EQ(scale.variance(0.05), 0.0015);
  EXPECT_DOUBLE_EQ(scale.variance(0.2), 0.002 + 0.01);
  EXPECT_DOUBLE_EQ(scale.variance(1.3), 0.002 + 0.02 + 1.0);
  EXPECT_DOUBLE_EQ(scale.noise(0.05), 0.0015);
  const PredictiveScale heavy{.factor = 1, .added = 0.5, .degrees = 4};
  EXPECT_DOUBLE_EQ(heavy.variance(1), 3) << "the variance of Student's t exceeds its scale";
  EXPECT_TRUE(PredictiveScale{}.is_identity());
}

TEST(ErrorScale, RowsWithLargeVariancesSpeakForThemselves) {
  Sample s = sample(2000, {.factor = 0.01}, 6);
  Sample few = sample(30, {.factor = 0.01}, 6);
  EXPECT_LT(error_scale(s.residuals, s.variances, {}).rare, 0.05) << "40 rows";
  EXPECT_GT(error_scale(few.residuals, few.variances, {}).rare, 0.1) << "one row";
}

TEST(ErrorScale, FewIndependentBlocksWidenTheTails) {
  const Sample s = sample(500, {.factor = 2}, 7);
  const PredictiveScale rows = error_scale(s.residuals, s.variances, {}),
                        blocks = error_scale(s.residuals, s.variances, {.independent = 5}),
                        two = error_scale(s.residuals, s.variances, {.independent = 2});
  EXPECT_TRUE(std::isinf(rows.degrees));
  EXPECT_EQ(blocks.degrees, 5);
  EXPECT_EQ(two.degrees, 3);
  EXPECT_EQ(blocks.factor, rows.factor);
  // That the scale is uncertain makes errors larger, but not the noise.
  EXPECT_GT(blocks.noise(0.1), rows.noise(0.1));
  EXPECT_EQ(blocks.observed_noise(0.1), rows.observed_noise(0.1));
  EXPECT_NEAR(blocks.variance(rows.usual) / rows.variance(rows.usual), 5.0 / 3, 1e-9);
}

TEST(ErrorScale, WithoutRowsItIsTheIdentity) {
  EXPECT_TRUE(error_scale(Vector::Zero(5), Vector::Ones(5), {}).is_identity());
  EXPECT_TRUE(error_scale({}, {}, {}).is_identity());
  EXPECT_TRUE(error_scale(Vector::Constant(3, std::nan("")), Vector::Ones(3), {}).is_identity());
}

}  // namespace
}  // namespace gpcv
