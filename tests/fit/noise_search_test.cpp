// The noise process: its features, its likelihood and what is found in residuals.
#include "fit/noise_search.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.hpp"

namespace gpcv {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Matrix uniform(Index n, Index d, std::uint64_t seed) {
  Random random(seed);
  Matrix x(n, d);
  for (double& v : x.reshaped()) v = random.uniform(-1.7, 1.7);
  return x;
}

/// Residuals whose logarithm of the variance is 2 x₀, beside a function of the variance 0.05.
NoiseRows drawn(Index n, Index d, double slope, std::uint64_t seed) {
  Random random(seed + 100);
  NoiseRows rows{uniform(n, d, seed), Vector(n), Vector::Constant(n, 0.05)};
  for (Index i = 0; i < n; ++i) {
    rows.residuals(i) = std::sqrt(0.05 + 0.3 * std::exp(slope * rows.x(i, 0))) * random.normal();
  }
  return rows;
}

std::vector<int> five_parts(Index n) {
  std::vector<int> part;
  for (Index i = 0; i < n; ++i) part.push_back(static_cast<int>(i % 5));
  return part;
}

TEST(NoiseFeatures, ReproduceTheKernelAndItsProcess) {
  const Matrix x = uniform(80, 3, 1), other = uniform(7, 3, 2);
  const NoiseFeatures features(x, {{2, 0}, Vector{{std::log(1.5), std::log(2.0)}}, std::log(0.8)});
  const Matrix& g = features.values();
  EXPECT_LT(g.cols(), 40) << "a smooth process has few features";
  const auto k = [](const auto& a, const auto& b) {
    return std::exp(-0.5 * (std::pow((a(2) - b(2)) / 1.5, 2) + std::pow((a(0) - b(0)) / 2.0, 2)));
  };
  for (Index i = 0; i < 10; ++i) {
    for (Index j = 0; j < 10; ++j) EXPECT_NEAR(g.row(i).dot(g.row(j)), k(x.row(i), x.row(j)), 2e-3);
  }
  EXPECT_LT((features.at(x) - g).norm(), 1e-9 * g.norm());
  Random random(3);
  Vector a(g.cols());
  for (double& v : a) v = random.normal();
  const NoiseProcess process = features.process(a, -1.5);
  EXPECT_LT((process.log_factor(other) - Vector((0.8 * (features.at(other) * a)).array() - 1.5)).norm(), 1e-8);
  EXPECT_EQ(process.inputs(), (std::vector<Index>{2, 0}));
  const Matrix far = Matrix::Constant(1, 3, 1e3);
  EXPECT_EQ(process.log_factor(far)(0), -1.5) << "far from the data the noise is that of a typical row";
}

TEST(NoiseLikelihood, DerivativesAreThoseOfTheLogarithm) {
  const NoiseRows rows = drawn(30, 1, 1, 4);
  for (const double degrees : {infinity, 5.0}) {
    const NoiseLikelihood likelihood(rows, Vector::Ones(30), degrees);
    Vector h = Vector::LinSpaced(30, -4, 2), gradient, curvature;
    likelihood.derivatives(h, gradient, curvature);
    for (const Index i : {0, 7, 29}) {
      constexpr double step = 1e-5;
      Vector up = h, down = h;
      up(i) += step;
      down(i) -= step;
      EXPECT_NEAR(gradient(i), (likelihood.negative_log(up) - likelihood.negative_log(down)) / (2 * step), 1e-6);
    }
    EXPECT_GT(curvature.minCoeff(), 0);
  }
}

TEST(NoiseLikelihood, CorrectsTheBiasOfLogSquares) {
  Random random(5);
  NoiseRows rows{Matrix::Zero(20000, 1), Vector(20000), Vector::Zero(20000)};
  for (double& r : rows.residuals) r = 0.3 * random.normal();
  const NoiseLikelihood likelihood(rows, Vector::Ones(20000), infinity);
  EXPECT_NEAR(likelihood.log_squares().mean(), 2 * std::log(0.3), 0.05);
}

TEST(NoiseSearch, FindsTheInputAndTheSlope) {
  double square = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const NoiseRows rows = drawn(400, 4, 1.2, seed);
    const FoundNoise found = find_noise(rows, five_parts(400), {});
    ASSERT_EQ(found.process.inputs(), std::vector<Index>{0}) << seed;
    // A residual shows the whole variance.
    const Vector truth = 0.05 + 0.3 * (1.2 * rows.x.col(0).array()).exp();
    const Vector whole = 0.05 + found.at_rows.array().exp();
    square += (whole.array() / truth.array()).log().square().mean();
    EXPECT_LT((found.at_rows - found.process.log_factor(rows.x)).norm() / 20, 0.2) << "parts change little";
  }
  EXPECT_LT(std::sqrt(square / 5), 0.25);
}

TEST(NoiseSearch, FindsConstantNoiseWhereThereIsNone) {
  int constant = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const FoundNoise found = find_noise(drawn(300, 3, 0, seed), five_parts(300), {});
    constant += found.process.is_constant() ? 1 : 0;
    EXPECT_NEAR(found.at_rows.mean(), std::log(0.3), 0.4);
  }
  EXPECT_GE(constant, 7);
}

TEST(NoiseSearch, RowsDoNotKnowTheirOwnResiduals) {
  NoiseRows rows = drawn(200, 1, 1.2, 6);
  const std::vector<int> part = five_parts(200);
  const FoundNoise before = find_noise(rows, part, {});
  rows.residuals(3) *= 1.3;
  const FoundNoise after = find_noise(rows, part, {});
  // Scales are chosen once, from all residuals; a small change of one residual leaves them.
  ASSERT_EQ(before.process.kernel, after.process.kernel);
  EXPECT_NEAR(before.at_rows(3), after.at_rows(3), 1e-4);
  EXPECT_GT(std::abs(before.at_rows(4) - after.at_rows(4)), 1e-4);
}

TEST(NoiseSearch, OutliersDoNotMakeNoise) {
  NoiseRows rows = drawn(300, 2, 0, 8);
  for (Index i = 0; i < 300; i += 60) rows.residuals(i) *= 15;
  const FoundNoise found = find_noise(rows, five_parts(300), {});
  EXPECT_LT((found.at_rows.array() - found.at_rows.mean()).abs().maxCoeff(), 0.8);
}

}  // namespace
}  // namespace gpcv
