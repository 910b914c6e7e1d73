#include "trainers/admm/holdout_admm.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <string>

#include "gpcv/error.hpp"
#include "support/dense_holdout.hpp"

namespace gpcv {
namespace {

/// A hold-out split with ADMM at its start.
struct Setting {
  Setting(const std::string& kernel, const std::string& noise, const AdmmOptions& options, bool raw = false,
          const ComputeOptions& compute = {})
      : problem(drawn_problem("se(l=0.6)", kernel, noise, 100, 3)),
        folds(Folds::holdout(100, 0.5, 2)),
        holdout(problem, folds.folds[0], compute),
        coordinates(problem, raw),
        admm(holdout, coordinates, log_parameters(problem).value, options, 20, compute, random) {
    problem.folds = folds;
  }
  QuadraticPenalty none() const { return QuadraticPenalty::none(admm.log_theta().size()); }
  DenseHoldout dense() const {
    const Vector u = admm.log_theta();
    return {holdout.data(), kernel_at(problem, u), noise_at(problem, u)};
  }

  Random random = Random(7);
  Problem problem;
  Folds folds;
  HoldoutProblem holdout;
  Coordinates coordinates;
  HoldoutAdmm admm;
};

TEST(HoldoutAdmm, BeginsWhereTheConstraintHoldsWithTheExactGradient) {
  for (const char* noise : {"0.2", "0.2:fixed"}) {
    const Setting s("se(l=1, s2=1.3)", noise, {});
    const AdmmMeasures& m = s.admm.measures();
    const Vector residual = s.dense().residual();
    EXPECT_LT(m.constraint, 1e-7);
    EXPECT_NEAR(m.holdout_error, residual.squaredNorm() / 50, 1e-6);
    EXPECT_NEAR(m.lagrangian, residual.squaredNorm(), 1e-5);
    EXPECT_NEAR(m.z_norm, s.dense().weights().norm(), 1e-5);
    EXPECT_TRUE(std::isnan(m.gap));
    EXPECT_TRUE(s.admm.finite());
    EXPECT_FALSE(s.admm.finished());
    // The Lagrangian is stationary in z, so that this is the gradient of the error.
    const Vector theta = s.admm.log_theta().array().exp();
    const Vector expected = relative_gradient(s.problem, theta) * residual.squaredNorm();
    EXPECT_LT((s.admm.gradient() - expected).norm(), 1e-5 * expected.norm());
    EXPECT_NEAR(m.gradient, expected.cwiseAbs().maxCoeff() / residual.squaredNorm(), 1e-5);
  }
}

TEST(HoldoutAdmm, BeginsAsToldWithMultipliersAndPerturbation) {
  AdmmOptions options;
  options.lambda0 = 1;
  options.perturbation = 0.1;
  options.trace_gap = true;
  const Setting s("se(l=1, s2=1:fixed)", "0.2:fixed", options);
  Random random(7);
  const double l = std::abs(1 + 0.1 * random.normal());
  const DenseHoldout dense = s.dense();
  const Vector z = DenseHoldout(s.holdout.data(), s.problem.kernel.with(std::vector<double>{l}), 0.2).weights();
  const Vector e = dense.c * z - dense.y_t;
  const AdmmMeasures& m = s.admm.measures();
  EXPECT_EQ(s.admm.log_theta()(0), 0);
  EXPECT_NEAR(m.z_norm, z.norm(), 1e-5 * z.norm());
  EXPECT_NEAR(m.constraint, e.norm() / dense.y_t.norm(), 1e-5);
  EXPECT_NEAR(m.gap, (z - dense.weights()).squaredNorm(), 1e-4 * z.squaredNorm());
  const double lagrangian = (dense.y_v - dense.k_vt * z).squaredNorm() + e.sum() + 5 * e.squaredNorm();
  EXPECT_NEAR(m.lagrangian, lagrangian, 1e-4 * (1 + std::abs(lagrangian)));
}

TEST(HoldoutAdmm, BothResidualsVanishAndTheStopRuleSeesIt) {
  AdmmOptions options;
  options.epsilon = 1e-5;
  options.trace_gap = true;
  Setting s("se(l=1, s2=1:fixed)", "0.2", options);
  const QuadraticPenalty none = s.none();
  int sweeps = 0;
  while (!s.admm.finished() && sweeps < 100) {
    const Vector before = s.admm.log_theta().array().exp();
    s.admm.iterate(none);
    ++sweeps;
    const Vector after = s.admm.log_theta().array().exp();
    EXPECT_NEAR(s.admm.measures().theta_change, (after - before).norm(), 1e-12);
    ASSERT_TRUE(s.admm.finite());
  }
  EXPECT_LT(sweeps, 60);
  EXPECT_LE(s.admm.measures().constraint, 1e-5);
  EXPECT_LE(s.admm.measures().gradient, 1e-5);
  EXPECT_LT(s.admm.measures().gap, 1e-4);
  const Vector theta = s.admm.log_theta().array().exp();
  EXPECT_LT(relative_gradient(s.problem, theta).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(HoldoutAdmm, ThePublishedRuleLooksAtTheStepAlone) {
  AdmmOptions options = AdmmOptions::paper();
  Setting s("se(l=1, s2=1:fixed)", "0.1:fixed", options, true);
  EXPECT_FALSE(s.admm.finished()) << "before the first sweep";
  const QuadraticPenalty none = s.none();
  for (int sweep = 0; sweep < 10; ++sweep) {
    s.admm.iterate(none);
    EXPECT_EQ(s.admm.finished(), s.admm.measures().theta_change < 1e-2);
    EXPECT_EQ(s.admm.measures().rho, 5);
  }
}

TEST(HoldoutAdmm, FollowsAStrongPull) {
  for (ThetaStep step : {ThetaStep::coordinate, ThetaStep::gradient, ThetaStep::gauss_newton}) {
    AdmmOptions options;
    options.theta_step = step;
    Setting s("se(l=1, s2=1:fixed)", "0.2:fixed", options);
    const Vector centre = Vector::Constant(1, -0.4);
    const QuadraticPenalty pull(Matrix::Constant(1, 1, 1e5), centre);
    for (int sweep = 0; sweep < 20; ++sweep) s.admm.iterate(pull);
    EXPECT_NEAR(s.admm.log_theta()(0), -0.4, 1e-3) << name_of(step);
  }
}

TEST(HoldoutAdmm, FollowsAPullThatComesAfterManySweepsAtRest) {
  Setting s("se(l=1, s2=1:fixed)", "0.2:fixed", {});
  const QuadraticPenalty none = s.none();
  for (int sweep = 0; sweep < 150; ++sweep) s.admm.iterate(none);
  const double rest = s.admm.log_theta()(0);
  const QuadraticPenalty pull(Matrix::Constant(1, 1, 1e5), Vector::Constant(1, rest + 0.4));
  for (int sweep = 0; sweep < 30; ++sweep) s.admm.iterate(pull);
  EXPECT_NEAR(s.admm.log_theta()(0), rest + 0.4, 1e-2);
}

TEST(HoldoutAdmm, ReportsTheCurvatureOfItsGaussNewtonSteps) {
  AdmmOptions options;
  options.rho = 1e5;  // so stiff that z stays at C⁻¹ y_T, and the curvature is that of the error
  options.balance_rho = false;
  Setting s("se(l=1, s2=1:fixed)", "0.2", options);
  EXPECT_EQ(s.admm.curvature().size(), 0);
  const Vector u = s.admm.log_theta();
  const Matrix j = central_differences(
      [&](const Vector& at) {
        return DenseHoldout(s.holdout.data(), kernel_at(s.problem, at), noise_at(s.problem, at)).residual();
      },
      u);
  s.admm.iterate(s.none());
  const Matrix expected = 2 * j.transpose() * j;
  EXPECT_LT((s.admm.curvature() - expected).norm(), 1e-2 * expected.norm());
}

TEST(HoldoutAdmm, KeepsRhoInItsRange) {
  struct Range {
    ThetaStep step;
    double least, most;
  };
  for (const auto& [step, least, most] :
       {Range{ThetaStep::coordinate, 0.1, 10}, Range{ThetaStep::gauss_newton, 1, 1000}}) {
    for (double rho : {1e-2, 10.0, 1e4}) {
      AdmmOptions options;
      options.theta_step = step;
      options.rho = rho;
      Setting s("se(l=1, s2=1:fixed)", "0.2", options);
      const QuadraticPenalty none = s.none();
      for (int sweep = 0; sweep < 25; ++sweep) {
        s.admm.iterate(none);
        EXPECT_GE(s.admm.measures().rho, least * rho * (1 - 1e-12)) << name_of(step);
        EXPECT_LE(s.admm.measures().rho, most * rho * (1 + 1e-12)) << name_of(step);
      }
    }
  }
}

TEST(HoldoutAdmm, WithoutBalancingRhoStays) {
  AdmmOptions options;
  options.balance_rho = false;
  options.rho = 3;
  Setting s("se(l=1)", "0.2", options);
  const QuadraticPenalty none = s.none();
  for (int sweep = 0; sweep < 10; ++sweep) {
    s.admm.iterate(none);
    EXPECT_EQ(s.admm.measures().rho, 3);
  }
}

TEST(HoldoutAdmm, AStopRequestThrows) {
  bool stop = false;
  ComputeOptions compute;
  compute.stop = [&] { return stop; };
  Setting s("se(l=1)", "0.2", {}, false, compute);
  stop = true;
  EXPECT_THROW(s.admm.iterate(s.none()), Interrupted);
}

}  // namespace
}  // namespace gpcv
