#include "assessment/calibration.hpp"
#include "core/borrowed.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "backends/dense_kernel.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/synthetic.hpp"
#include "support/random_kernel.hpp"

namespace gpcv {
namespace {

/// The variances of held-out rows at the problem's own values.
HeldOutVariance variance_of(const Problem& p, const ComputeOptions& compute) {
  const auto evaluator = make_evaluator(borrowed(p), compute);
  verify_or_throw(*evaluator, p);
  return held_out_variance(*evaluator, p, compute);
}

Problem drawn(Index n, double noise, std::uint64_t seed) {
  const Synthetic s = draw(Kernel::parse("se(l=0.7)"), {.n = n, .dims = 1, .noise = noise, .seed = seed});
  return {s.x, s.y, Kernel::parse("se(l=0.7)").bind(1), {.variance = noise}, Folds::random(n, 5, 1)};
}

/// Mean of r²/v fold by fold, from the textbook formulas.
double brute_force(const Problem& p) {
  double sum = 0;
  for (const Fold& fold : p.folds.folds) {
    const Matrix x_t = p.x(fold.training, Eigen::all), x_v = p.x(fold.validation, Eigen::all);
    const KernelProgram program = p.kernel.lower();
    Matrix c = dense_kernel(program, x_t, 1);
    c.diagonal().array() += p.noise.variance;
    const Matrix across = dense_kernel(program, x_v, x_t, 1), inverse = c.inverse();
    const Vector r = Vector(p.y(fold.validation)) - across * inverse * Vector(p.y(fold.training));
    for (Index i = 0; i < r.size(); ++i) {
      const double v =
          kernel_diagonal(program, x_v)(i) + p.noise.variance - across.row(i) * inverse * across.row(i).transpose();
      sum += r(i) * r(i) / v;
    }
  }
  return sum / static_cast<double>(p.folds.validated());
}

std::vector<VarianceFactor> factors_of(const Problem& p) {
  return variance_factors(p, cross_validation_residuals(p, p.folds, {}), variance_of(p, {}), {});
}

TEST(VarianceScale, IsTheMeanSquareOfStandardisedHeldOutResiduals) {
  for (std::uint64_t seed : {1, 2, 3}) {
    Problem p = drawn(80, 0.1, seed);
    p.kernel = Kernel::parse("se(l=0.5, s2=3)").bind(1);
    const auto factors = factors_of(p);
    ASSERT_EQ(factors.size(), 1u);
    EXPECT_EQ(factors[0].method, "exact");
    EXPECT_NEAR(factors[0].factor, brute_force(p), 1e-8 * factors[0].factor);
  }
}

TEST(VarianceScale, NoiseIsAddedWhereErrorsAskForItAndOnlyThere) {
  int added = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Problem p = drawn(200, 0.1, seed);
    added += added_noise(cross_validation_residuals(p, p.folds, {}), variance_of(p, {})) > 0;
  }
  EXPECT_LE(added, 1) << "the truth needs none";
  // Rows close to others have next to no variance left, and errors of the noise that was not trained.
  Random random(9);
  HeldOutVariance held{"exact", Vector(400)};
  Vector residuals(400);
  for (Index i = 0; i < 400; ++i) {
    held.variance(i) = i % 2 == 0 ? 1e-4 : 0.5;
    residuals(i) = std::sqrt(2 * held.variance(i) + 0.1) * random.normal();
  }
  const double t = added_noise(residuals, held);
  EXPECT_NEAR(t, 0.1, 0.04);
  const Problem small = drawn(60, 0.1, 1);
  EXPECT_NEAR(variance_factors(small, residuals, held, {}, t).at(0).factor, 2, 0.5);
}

TEST(VarianceScale, AFewHopelessRowsDoNotDecideForAll) {
  Problem p = drawn(200, 0.1, 7);
  const double before = factors_of(p).at(0).factor;
  const HeldOutVariance held = variance_of(p, {});
  Vector residuals = cross_validation_residuals(p, p.folds, {});
  residuals(3) = 1e6;
  residuals(77) = -1e4;
  const double after = variance_factors(p, residuals, held, {}).at(0).factor;
  EXPECT_GT(after, before);
  EXPECT_LT(after, 1.5 * before);
}

TEST(VarianceScale, IsOneOnAverageForTheTruth) {
  double mean = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Problem p = drawn(100, 0.1, seed);
    mean += factors_of(p).at(0).factor / 40;
  }
  EXPECT_NEAR(mean, 1, 0.06);  // 4000 residuals: four standard errors
}

TEST(VarianceScale, ByNeighboursTakesUpTheirSlack) {
  // Above 4096 rows predictions condition on neighbours; a budget without room for a factorisation asks for it earlier.
  const Problem p = drawn(1200, 0.1, 5);
  ComputeOptions compute;
  compute.memory = std::size_t{4} << 20;
  compute.solver = Solver::cg;
  const Vector residuals = cross_validation_residuals(p, p.folds, compute);
  const auto near = variance_factors(p, residuals, variance_of(p, compute), compute);
  ASSERT_EQ(near.size(), 1u);
  EXPECT_EQ(near[0].method, "neighbours:1024");
  EXPECT_NEAR(near[0].factor, 1, 0.3);
}

Dataset table(const Problem& p) {
  Dataset data{p.x, p.y, {}};
  data.columns.features = {"x"};
  data.columns.feature_indices = {0};
  data.columns.target = "y";
  data.columns.target_index = 1;
  data.columns.table_columns = 2;
  return data;
}

TEST(VarianceScale, BecomesPartOfFreeVariancesAndAFactorOfHeldOnes) {
  const Dataset data = table(drawn(150, 0.1, 9));
  const FitResult free = fit(data, {});
  ASSERT_EQ(free.model.variance_factors.size(), 1u);
  EXPECT_DOUBLE_EQ(free.model.variance_factors[0].factor, 1);

  FitOptions options;
  options.kernel = Kernel::parse("se(s2=10:fixed)");  // ten times what it should be, and so is the noise
  options.noise = Noise::parse("1:fixed");
  const FitResult held = fit(data, options);
  ASSERT_EQ(held.model.variance_factors.size(), 1u);
  EXPECT_NEAR(held.model.variance_factors[0].factor, 0.1, 0.05);
  EXPECT_EQ(held.model.kernel.parameters()[1].value, 10);
  // Either way the intervals fit the held-out errors: they agree with one another.
  const Matrix x = data.x.topRows(30);
  const Vector a = Posterior(free.model, {}).predict(x).variance, b = Posterior(held.model, {}).predict(x).variance;
  EXPECT_NEAR(b.mean() / a.mean(), 1, 0.15);
}

TEST(VarianceScale, IsLeftAloneWhereNothingWasTrained) {
  FitOptions options;
  options.kernel = Kernel::parse("se(l=0.7:fixed, s2=3:fixed)");
  options.noise = Noise::parse("0.1:fixed");
  EXPECT_TRUE(fit(table(drawn(60, 0.1, 9)), options).model.variance_factors.empty());
}

TEST(VarianceScale, CoversHeldOutRowsAsOftenAsItSays) {
  // 20 tables, 95 % intervals at fresh points of the same function.
  double inside = 0, all = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Problem p = drawn(240, 0.1, 100 + seed);
    Problem train = p;
    train.x = p.x.topRows(160);
    train.y = p.y.head(160);
    const FitResult result = fit(table(train), {});
    const Prediction at = Posterior(result.model, {}).predict(p.x.bottomRows(80));
    for (Index i = 0; i < 80; ++i) {
      inside += std::abs(p.y(160 + i) - at.mean(i)) <= interval_factor(0.95) * std::sqrt(at.variance(i));
    }
    all += 80;
  }
  EXPECT_NEAR(inside / all, 0.95, 0.025);
}

}  // namespace
}  // namespace gpcv
