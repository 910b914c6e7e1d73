// The scale mixture of held-out errors, by which a robust training weighs its rows.
#include "evaluation/scale_mixture.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.hpp"

namespace gpcv {
namespace {

/// Normal errors of n rows, whose function and noise have these variances.
SplitErrors normal_errors(Index n, double function, double noise, std::uint64_t seed) {
  Random random(seed);
  SplitErrors out{Vector(n), Vector::Constant(n, function), Vector::Constant(n, noise)};
  for (double& e : out.error) e = std::sqrt(function + noise) * random.normal();
  return out;
}

TEST(ScaleMixture, NormalErrorsLoseNoWeight) {
  int normal = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const SplitErrors errors = normal_errors(300, 0.3, 0.7, seed);
    const ScaleMixture found = scale_mixture(errors);
    EXPECT_GT(found.precisions(errors).mean(), 0.98) << seed;
    if (found.is_normal()) ++normal;
  }
  EXPECT_GE(normal, 19);
}

TEST(ScaleMixture, GrossErrorsLoseTheirWeightAndOthersKeepIt) {
  SplitErrors errors = normal_errors(400, 0.2, 0.8, 3);
  for (Index i = 0; i < 20; ++i) errors.error(i) += i % 2 == 0 ? 20 : -20;
  const ScaleMixture found = scale_mixture(errors);
  EXPECT_NEAR(found.factor, 1, 0.2);
  EXPECT_NEAR(found.share, 0.06, 0.04);
  const Vector weights = found.precisions(errors);
  EXPECT_LT(weights.head(20).maxCoeff(), 0.03);
  EXPECT_GT(weights.tail(380).mean(), 0.95);
  EXPECT_TRUE((weights.array() > 0).all() && (weights.array() <= 1).all());
}

TEST(ScaleMixture, OneErrorOfAnySizeIsFound) {
  for (const double size : {8.0, 1e3, 1e6, 1e12}) {
    SplitErrors errors = normal_errors(100, 0.1, 0.9, 5);
    errors.error(7) = size;
    const Vector weights = scale_mixture(errors).precisions(errors);
    EXPECT_LT(weights(7), 0.1) << size;
    EXPECT_GT(weights.sum(), 95) << size;
  }
}

TEST(ScaleMixture, HeavyTailsHaveTheDegreesTheyWereDrawnWith) {
  Random random(7);
  SplitErrors errors{Vector(4000), Vector::Zero(4000), Vector::Ones(4000)};
  for (double& e : errors.error) {
    double squares = 0;
    for (int k = 0; k < 3; ++k) squares += std::pow(random.normal(), 2);
    e = random.normal() / std::sqrt(squares / 3);
  }
  const ScaleMixture found = scale_mixture(errors);
  EXPECT_GT(found.share, 0.3);
  EXPECT_LE(found.degrees, 3);
}

TEST(ScaleMixture, TheWeightMakesUpForTheWholeErrorWhereTheNoiseIsSmall) {
  constexpr double noise = 1e-6;
  SplitErrors errors = normal_errors(300, 1, noise, 9);
  errors.error(0) = 30;
  const double weight = scale_mixture(errors).precisions(errors)(0);
  EXPECT_LT(noise / (30 * 30), 10 * weight);
  EXPECT_GT(noise / weight, 30) << "the noise of the row explains its error";
}

TEST(ScaleMixture, UnitsDoNotMatter) {
  SplitErrors errors = normal_errors(200, 0.5, 0.5, 11);
  errors.error(3) = 15;
  const Vector weights = scale_mixture(errors).precisions(errors);
  SplitErrors scaled{1e5 * errors.error, 1e10 * errors.function, 1e10 * errors.noise};
  EXPECT_LT((scale_mixture(scaled).precisions(scaled) - weights).norm(), 1e-6);
  // A factor of the variances alone is the mixture's a.
  scaled = {errors.error, 4 * errors.function, 4 * errors.noise};
  EXPECT_NEAR(scale_mixture(scaled).factor / scale_mixture(errors).factor, 0.25, 1e-3);
}

TEST(ScaleMixture, RowsWithoutAnErrorKeepTheirWeight) {
  SplitErrors errors = normal_errors(100, 0.5, 0.5, 13);
  errors.error(4) = std::nan("");
  errors.error(5) = 40;
  const Vector weights = scale_mixture(errors).precisions(errors);
  EXPECT_EQ(weights(4), 1);
  EXPECT_LT(weights(5), 0.05);
  errors.error.setConstant(std::nan(""));
  EXPECT_TRUE(scale_mixture(errors).is_normal());
  errors.error.setZero();
  EXPECT_TRUE(scale_mixture(errors).is_normal());
}

}  // namespace
}  // namespace gpcv
