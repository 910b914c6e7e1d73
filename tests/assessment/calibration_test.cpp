#include "assessment/calibration.hpp"
#include "core/borrowed.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "backends/dense_kernel.hpp"
#include "evaluation/error_scale.hpp"
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
  return held_out_variance(evaluator.get(), p, compute);
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

/// The distribution of errors at the problem's own values.
PredictiveScale scale_of(const Problem& p, const ComputeOptions& compute = {}) {
  return error_scale(cross_validation_residuals(p, p.folds, compute), variance_of(p, compute).variance, {});
}

TEST(ErrorScale, IsNearTheMeanSquareOfStandardisedHeldOutResiduals) {
  for (std::uint64_t seed : {1, 2, 3}) {
    Problem p = drawn(300, 0.1, seed);
    p.kernel = Kernel::parse("se(l=0.5, s2=3)").bind(1);
    const PredictiveScale scale = scale_of(p);
    const Vector v = variance_of(p, {}).variance;
    EXPECT_NEAR((scale.factor * v.mean() + scale.added) / v.mean(), brute_force(p), 0.15 * brute_force(p));
  }
}

TEST(ErrorScale, IsOneOnAverageForTheTruth) {
  double mean = 0;
  int students = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Problem p = drawn(100, 0.1, seed);
    const PredictiveScale scale = scale_of(p);
    const double v = variance_of(p, {}).variance.mean();
    mean += scale.variance(v) / v / 40;
    students += std::isfinite(scale.degrees);
  }
  EXPECT_NEAR(mean, 1.03, 0.06);  // 4000 residuals: four standard errors, and three parameters of 100 rows
  EXPECT_LE(students, 3) << "the truth is normal";
}

TEST(ErrorScale, ByNeighboursTakesUpTheirSlack) {
  // Above 4096 rows predictions condition on neighbours; a budget without room for a factorisation asks for it earlier.
  const Problem p = drawn(1200, 0.1, 5);
  ComputeOptions compute;
  compute.memory = std::size_t{4} << 20;
  compute.solver = Solver::cg;
  EXPECT_EQ(variance_of(p, compute).method, "neighbours:128");
  EXPECT_NEAR(scale_of(p, compute).variance(0.1) / 0.1, 1, 0.3);
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

TEST(ErrorScale, CorrectsVariancesThatAreHeld) {
  const Dataset data = table(drawn(150, 0.1, 9));
  const FitResult free = fit(data, {});

  FitOptions options;
  options.kernel = Kernel::parse("se(s2=10:fixed)");  // ten times what it should be, and so is the noise
  options.noise = Noise::parse("1:fixed");
  const FitResult held = fit(data, options);
  EXPECT_NEAR(held.model.error_scale.factor, 0.1, 0.05);
  EXPECT_EQ(held.model.kernel.parameters()[1].value, 10);
  // Either way the intervals fit the held-out errors: they agree with one another.
  const Matrix x = data.x.topRows(30);
  const Vector a = Posterior(free.model, {}).predict(x).variance, b = Posterior(held.model, {}).predict(x).variance;
  EXPECT_NEAR(b.mean() / a.mean(), 1, 0.15);
}

TEST(ErrorScale, IsLeftAloneWhereNothingWasTrained) {
  FitOptions options;
  options.kernel = Kernel::parse("se(l=0.7:fixed, s2=3:fixed)");
  options.noise = Noise::parse("0.1:fixed");
  EXPECT_TRUE(fit(table(drawn(60, 0.1, 9)), options).model.error_scale.is_identity());
}

TEST(ErrorScale, CoversHeldOutRowsAsOftenAsItSays) {
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
      inside += std::abs(p.y(160 + i) - at.mean(i)) <= interval_factor(0.95, at.degrees) * std::sqrt(at.variance(i));
    }
    all += 80;
  }
  EXPECT_NEAR(inside / all, 0.95, 0.025);
}

/// A table of one input.
Dataset curve(const Vector& x, const Vector& y) { return table({x, y, {}, {}}); }

TEST(ErrorScale, FarFromTheDataTheDeviationOfThePriorReturns) {
  for (const char* kernel : {"se", "matern32", "rq"}) {
    Random random(2);
    Vector x(120), y(120);
    for (Index i = 0; i < x.size(); ++i) {
      x(i) = 10 * random.uniform();
      y(i) = 3 * std::sin(2 * x(i)) + 0.1 * random.normal();
    }
    FitOptions options;
    options.kernel = Kernel::parse(kernel);
    const FitResult result = fit(curve(x, y), options);
    const double far = std::sqrt(Posterior(result.model, {}).predict(Matrix::Constant(1, 1, 1e4)).variance(0));
    EXPECT_GT(far, 0.5 * 2.1) << kernel << ": of the spread of the target";
    EXPECT_LT(far, 3 * 2.1) << kernel;
    const double prior = std::sqrt(signal_variance(result.model) + result.model.noise) * result.model.scaling.y_scale;
    EXPECT_NEAR(std::log(far / prior), 0, std::log(2.0)) << kernel;
  }
}

TEST(ErrorScale, InterpolationErrorsDoNotSpeakForExtrapolation) {
  const Vector x = Vector::LinSpaced(100, 0, 1), y = (6 * x).array().sin();
  const Posterior posterior(fit(curve(x, y), {}).model, {});
  const Prediction at = posterior.predict(Matrix::Constant(1, 1, 1.1));
  EXPECT_LT(std::abs(std::sin(6.6) - at.mean(0)), 3 * std::sqrt(at.variance(0)));
}

TEST(ErrorScale, ForwardChainingKeepsTheShapeOfTheVariances) {
  // All held-out rows lie beyond the reach of the data, and a constant deviation would explain their errors as well.
  Random random(1);
  Vector x(300), y(300);
  for (Index i = 0; i < x.size(); ++i) {
    x(i) = 20 * static_cast<double>(i) / 300;
    y(i) = std::sin(2 * x(i)) + 0.1 * random.normal();
  }
  Dataset data = curve(x, y);
  data.time = x;
  FitOptions options;
  options.folds = FoldOptions{.kind = FoldOptions::Kind::time, .column = "x"};
  const Posterior posterior(fit(data, options).model, {});
  Matrix at(2, 1);
  at << 10, 30;
  const Vector deviation = posterior.predict(at).variance.cwiseSqrt();
  // The target has a deviation of 0.71, and the errors near the data are a part of it.
  EXPECT_LT(deviation(0), 0.5);
  EXPECT_GT(deviation(1), 2 * deviation(0));
  EXPECT_GT(deviation(1), 0.35);
  EXPECT_LT(deviation(1), 1.42);
}

}  // namespace
}  // namespace gpcv
