#include "trainers/admm/holdout_error.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <string>

#include "gpcv/error.hpp"
#include "support/dense_holdout.hpp"

namespace gpcv {
namespace {

struct Setting {
  explicit Setting(Problem of, const ComputeOptions& compute = {}, Index rank = 20)
      : problem(std::move(of)),
        holdout(problem, problem.folds.folds[0], compute),
        coordinates(problem, false),
        error(problem, problem.folds.folds[0], coordinates, rank, compute) {}
  Vector start() const { return log_parameters(problem).value; }
  QuadraticPenalty none() const { return QuadraticPenalty::none(start().size()); }
  Vector dense_residual(const Vector& u) const {
    return DenseHoldout(holdout.data(), kernel_at(problem, u), noise_at(problem, u)).residual();
  }

  Problem problem;
  HoldoutProblem holdout;
  Coordinates coordinates;
  HoldoutError error;
};

Problem split(const std::string& kernel, const std::string& noise, Index n, std::uint64_t seed,
              const std::string& truth = "se(l=1.5) + lp(l=1, p=2)") {
  Problem problem = drawn_problem(truth, kernel, noise, n, seed);
  problem.folds = Folds::holdout(n, 0.4, seed);
  return problem;
}

Problem random_split(Random& random, Index n, bool free_noise) {
  const Index d = 1 + static_cast<Index>(random.below(2));
  return {random_inputs(random, n, d), random_inputs(random, n, 1),
          Kernel::parse(random_expression(random, d, 1 + static_cast<int>(random.below(2)))).bind(d),
          Noise::parse(free_noise ? "0.3" : "0.3:fixed"), Folds::holdout(n, 0.4, 3)};
}

TEST(HoldoutError, ValueMatchesCholesky) {
  Random random(251);
  for (int trial = 0; trial < 15; ++trial) {
    Setting s(random_split(random, 50, trial % 2 == 0), {}, trial % 3 == 0 ? 0 : 10);
    const QuadraticPenalty pull(Matrix::Identity(s.start().size(), s.start().size()), Vector::Ones(s.start().size()));
    // At several points in a row, the result must not depend on the last z or on an old preconditioner.
    for (double shift : {0.0, 0.03, 0.4, -0.2}) {
      const Vector u = s.start().array() + shift;
      const ErrorPoint point = s.error.at(u, pull);
      const Vector residual = s.dense_residual(u);
      EXPECT_EQ(point.q, u);
      EXPECT_NEAR(point.squared_error, residual.squaredNorm(), 1e-6 * (1 + residual.squaredNorm()))
          << s.problem.kernel.to_string();
      EXPECT_NEAR(point.value, residual.squaredNorm() + pull.value(u), 1e-5 * (1 + residual.squaredNorm()));
    }
  }
}

TEST(HoldoutError, DerivativesMatchFiniteDifferences) {
  Random random(252);
  for (int trial = 0; trial < 15; ++trial) {
    Setting s(random_split(random, 50, trial % 2 == 0));
    const Vector u = s.start();
    const Matrix j = central_differences([&](const Vector& at) { return s.dense_residual(at); }, u);
    const Matrix curvature = 2 * j.transpose() * j;
    const Vector gradient = 2 * j.transpose() * s.dense_residual(u);
    s.error.at(u, s.none());
    s.error.differentiate(u);
    EXPECT_LT((s.error.curvature() - curvature).norm(), 1e-4 * (1e-3 + curvature.norm()))
        << s.problem.kernel.to_string();
    EXPECT_LT((s.error.gradient() - gradient).norm(), 1e-4 * (1e-3 + gradient.norm() + curvature.norm()));
  }
}

TEST(HoldoutError, MixedPrecisionIsCloseToDouble) {
  const Problem problem = split("se(l=1.2) + lp(l=1.1, p=2)", "0.1", 120, 3);
  Setting exact(problem), mixed(problem, {.precision = Precision::mixed});
  const Vector u = exact.start();
  const ErrorPoint a = exact.error.at(u, exact.none()), b = mixed.error.at(u, mixed.none());
  EXPECT_NEAR(a.value, b.value, 1e-6 * a.value);
  exact.error.differentiate(u);
  mixed.error.differentiate(u);
  EXPECT_LT((exact.error.curvature() - mixed.error.curvature()).norm(), 1e-4 * exact.error.curvature().norm());
}

TEST(HoldoutError, MinimizingDecreasesItAndReachesAStationaryPoint) {
  struct Case {
    const char *kernel, *noise;
  };
  for (const auto& [kernel, noise] : {Case{"se(l=2.5, s2=1:fixed)", "0.1:fixed"}, Case{"se(l=2)", "0.3:fixed"},
                                      Case{"se(l=2, s2=1:fixed) + lp(l=1.3, p=1.9, s2=1:fixed)", "0.1:fixed"}}) {
    Setting s(split(kernel, noise, 120, 4));
    const QuadraticPenalty none = s.none();
    Vector u = s.start();
    double previous = s.dense_residual(u).squaredNorm();
    const double first = previous;
    for (int round = 0; round < 25; ++round) {
      const ErrorPoint end = s.error.minimize(u, none, 2);
      EXPECT_LE(end.value, previous * (1 + 1e-6)) << kernel;
      EXPECT_TRUE(s.coordinates.inside(end.q));
      previous = end.value;
      u = end.q;
    }
    EXPECT_LT(previous, first) << kernel;
    auto value = [&](const Vector& at) { return Vector::Constant(1, s.dense_residual(at).squaredNorm()); };
    const double slope = central_differences(value, u).cwiseAbs().maxCoeff();
    EXPECT_LT(slope, 1e-3 * previous) << kernel;
  }
}

TEST(HoldoutError, MinimizingFindsTheBruteForceMinimum) {
  Setting s(split("se(l=1.5, s2=1:fixed)", "0.1:fixed", 100, 5, "se(l=0.8)"));
  Vector u = s.start();
  for (int round = 0; round < 10; ++round) u = s.error.minimize(u, s.none(), 2).q;
  const double lowest = brute_force_minimum(
      [&](double at) { return s.dense_residual(Vector::Constant(1, at)).squaredNorm(); }, u(0) - 1, u(0) + 1);
  EXPECT_NEAR(u(0), lowest, 1e-3);
}

TEST(HoldoutError, ReportsCurvatureAndGradientWhereTheMinimizationBegan) {
  Setting s(split("se(l=2)", "0.2", 100, 6));
  const Vector u = s.start();
  const QuadraticPenalty pull(10 * Matrix::Identity(3, 3), Vector::Zero(3));
  const Matrix j = central_differences([&](const Vector& at) { return s.dense_residual(at); }, u);
  s.error.minimize(u, pull, 3);
  const Matrix curvature = 2 * j.transpose() * j;
  const Vector gradient = 2 * j.transpose() * s.dense_residual(u);
  EXPECT_LT((s.error.curvature() - curvature).norm(), 1e-4 * curvature.norm());
  EXPECT_LT((s.error.gradient() - gradient).norm(), 1e-3 * gradient.norm());
}

TEST(HoldoutError, AStrongPullHoldsTheMinimumAtItsCentre) {
  Setting s(split("se(l=2)", "0.2", 80, 7));
  const Vector centre = s.start() + 0.1 * Vector::Ones(3);
  const QuadraticPenalty pull(1e8 * Matrix::Identity(3, 3), centre);
  Vector u = s.start();
  for (int round = 0; round < 5; ++round) u = s.error.minimize(u, pull, 3).q;
  EXPECT_LT((u - centre).norm(), 1e-5);
}

TEST(HoldoutError, MovesAgainAfterManyCallsThatCouldNotMove) {
  Setting s(split("se(l=2)", "0.2:fixed", 80, 7));
  const QuadraticPenalty none = s.none();
  Vector u = s.start();
  for (int round = 0; round < 100; ++round) u = s.error.minimize(u, none, 2).q;
  const Vector centre = u.array() + 0.3;
  const QuadraticPenalty pull(1e6 * Matrix::Identity(2, 2), centre);
  for (int round = 0; round < 20; ++round) u = s.error.minimize(u, pull, 2).q;
  EXPECT_LT((u - centre).norm(), 1e-3);
}

TEST(HoldoutError, StaysInsideTheBox) {
  Setting s(split("se(l=2 in [1.9, 2.1], s2=1:fixed)", "0.1", 80, 8));
  Vector u = s.start();
  for (int round = 0; round < 4; ++round) u = s.error.minimize(u, s.none(), 3).q;
  EXPECT_TRUE(s.coordinates.inside(u));
}

TEST(HoldoutError, IsInfiniteWhereTheSolveFailsAndRecovers) {
  // Equal rows have different targets and practically no noise.
  Problem problem = split("se(l=3)", "1e-300", 60, 9);
  for (Index i = 0; i < 60; i += 2) problem.x(i + 1, 0) = problem.x(i, 0);
  Setting s(problem, {}, 0);
  Vector u = s.start();
  const ErrorPoint hopeless = s.error.at(u, s.none());
  EXPECT_EQ(hopeless.value, std::numeric_limits<double>::infinity());
  const ErrorPoint end = s.error.minimize(u, s.none(), 2);
  EXPECT_EQ(end.value, std::numeric_limits<double>::infinity());
  EXPECT_EQ(end.q, u);
  u(2) = std::log(0.1);
  const ErrorPoint good = s.error.at(u, s.none());
  EXPECT_NEAR(good.value, s.dense_residual(u).squaredNorm(), 1e-5 * good.value);
}

TEST(HoldoutError, AStopRequestThrows) {
  const Problem problem = split("se(l=2)", "1e-4", 120, 10);
  ComputeOptions compute;
  compute.stop = [] { return true; };
  Setting s(problem, compute, 0);
  EXPECT_THROW(s.error.at(s.start(), s.none()), Interrupted);
}

}  // namespace
}  // namespace gpcv
