#include "trainers/admm/theta_step.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <string>
#include <vector>

#include "support/dense_holdout.hpp"
#include "trainers/common/minimize.hpp"

namespace gpcv {
namespace {

constexpr ThetaStep every_step[] = {ThetaStep::coordinate, ThetaStep::gradient, ThetaStep::adam,
                                    ThetaStep::gauss_newton};

/// A hold-out split of drawn data; z fits another θ than the start, so that the step has something to improve.
struct Setting {
  Setting(Problem of, double stretch) : problem(std::move(of)), holdout(problem, problem.folds.folds[0], {}) {
    const Vector theta = stretch * problem.kernel.theta();
    const Kernel other = problem.kernel.with({theta.data(), static_cast<std::size_t>(theta.size())});
    const DenseHoldout dense(holdout.data(), other, problem.noise.variance);
    z = dense.weights();
    lambda = Vector::Constant(z.size(), 0.1);
  }
  Vector start(const Coordinates& coordinates) const { return coordinates.from_log(log_parameters(problem).value); }

  Problem problem;
  HoldoutProblem holdout;
  Vector z, lambda;
};

Problem split(const std::string& truth, const std::string& start, const std::string& noise, Index n,
              std::uint64_t seed) {
  Problem problem = drawn_problem(truth, start, noise, n, seed);
  problem.folds = Folds::holdout(n, 0.5, seed);
  return problem;
}

TEST(ThetaStep, NeverIncreasesTheLagrangianAndStaysInsideTheBox) {
  Random random(241);
  for (int trial = 0; trial < 12; ++trial) {
    const Index d = 1 + static_cast<Index>(random.below(2)), n = 40;
    Problem problem{random_inputs(random, n, d), random_inputs(random, n, 1),
                    Kernel::parse(random_expression(random, d, 1 + static_cast<int>(random.below(2)))).bind(d),
                    Noise::parse(trial % 2 == 0 ? "0.3" : "0.3:fixed"), Folds::holdout(n, 0.5, 3)};
    const Setting s(problem, random.uniform(0.5, 2));
    for (bool raw : {false, true}) {
      const Coordinates coordinates(s.problem, raw);
      const QuadraticPenalty pull =
          trial % 3 == 0 ? QuadraticPenalty::none(s.start(coordinates).size())
                         : QuadraticPenalty(Matrix::Identity(s.start(coordinates).size(), s.start(coordinates).size()),
                                            s.start(coordinates));
      for (ThetaStep step : every_step) {
        AdmmOptions options;
        options.theta_step = step;
        const double rho = random.uniform(0.1, 20);
        const ThetaLagrangian lagrangian(s.holdout, coordinates, s.z, s.lambda, rho, pull);
        const Evaluated start = lagrangian.at(s.start(coordinates));
        const Evaluated end = theta_step(lagrangian, start, options);
        SCOPED_TRACE(s.problem.kernel.to_string() + ", " + std::string(name_of(step)) + (raw ? ", raw" : ""));
        EXPECT_LE(lagrangian.value(end), lagrangian.value(start));
        EXPECT_TRUE(coordinates.inside(end.q));
        // The returned residuals belong to the returned q.
        const Evaluated again = lagrangian.at(end.q);
        EXPECT_LT((again.residual - end.residual).norm(), 1e-12 * (1 + end.residual.norm()));
        EXPECT_LT((again.constraint - end.constraint).norm(), 1e-12 * (1 + end.constraint.norm()));
        EXPECT_EQ(end.system->noise(), again.system->noise());
      }
    }
  }
}

TEST(ThetaStep, EveryKindMakesProgress) {
  const Setting s(split("se(l=0.6)", "se(l=0.9, s2=1:fixed)", "0.1", 80, 5), 0.7);
  for (bool raw : {false, true}) {
    const Coordinates coordinates(s.problem, raw);
    const QuadraticPenalty none = QuadraticPenalty::none(2);
    const ThetaLagrangian lagrangian(s.holdout, coordinates, s.z, s.lambda, 5, none);
    const Evaluated start = lagrangian.at(s.start(coordinates));
    for (ThetaStep step : every_step) {
      AdmmOptions options;
      options.theta_step = step;
      const double reached = lagrangian.value(theta_step(lagrangian, start, options));
      EXPECT_LT(reached, lagrangian.value(start) - 0.05 * std::abs(lagrangian.value(start)))
          << name_of(step) << (raw ? ", raw" : "");
    }
  }
}

TEST(ThetaStep, StaysInsideATightBox) {
  // The Lagrangian has its minimum at a shorter length scale than the box allows.
  const Setting s(split("se(l=0.5)", "se(l=1.5 in [1.4, 1.6], s2=1:fixed)", "0.1:fixed", 80, 6), 0.4);
  for (bool raw : {false, true}) {
    const Coordinates coordinates(s.problem, raw);
    const QuadraticPenalty none = QuadraticPenalty::none(1);
    const ThetaLagrangian lagrangian(s.holdout, coordinates, s.z, s.lambda, 5, none);
    const Evaluated start = lagrangian.at(s.start(coordinates));
    ASSERT_GT(lagrangian.gradient(start)(0), 0);
    for (ThetaStep step : every_step) {
      AdmmOptions options;
      options.theta_step = step;
      const Evaluated end = theta_step(lagrangian, start, options);
      EXPECT_TRUE(coordinates.inside(end.q)) << name_of(step);
      EXPECT_LT(end.q(0), start.q(0)) << name_of(step);
      if (step == ThetaStep::adam || step == ThetaStep::gauss_newton) {
        EXPECT_EQ(end.q(0), coordinates.lower()(0)) << name_of(step);
      }
    }
  }
}

TEST(ThetaStep, ArmijosRuleTakesTheFirstStepThatDecreasesEnough) {
  const Setting s(split("se(l=0.6)", "se(l=0.9, s2=1:fixed)", "0.1:fixed", 80, 12), 0.8);
  const Coordinates coordinates(s.problem, true);
  const QuadraticPenalty none = QuadraticPenalty::none(1);
  const ThetaLagrangian lagrangian(s.holdout, coordinates, s.z, s.lambda, 5, none);
  const Evaluated start = lagrangian.at(s.start(coordinates));
  const double g = lagrangian.gradient(start)(0), before = lagrangian.value(start);
  struct Rule {
    double first, shrink, slope;
  };
  for (const auto& [first, shrink, slope] :
       {Rule{0.125, 0.5, 0.5}, Rule{0.125, 0.5, 0.9}, Rule{1, 0.7, 0.01}, Rule{0.125, 0.1, 0.5}}) {
    double t = first;
    auto value = [&] { return lagrangian.value(lagrangian.at(start.q.array() - t * g)); };
    while (!coordinates.inside(start.q.array() - t * g) || value() > before - slope * t * g * g) t *= shrink;
    for (ThetaStep step : {ThetaStep::coordinate, ThetaStep::gradient}) {
      AdmmOptions options;
      options.theta_step = step;
      options.armijo_start = first;
      options.armijo_shrink = shrink;
      options.armijo_slope = slope;
      // After one step, the derivative is below this limit.
      const Evaluated once = lagrangian.at(start.q.array() - t * g);
      options.coordinate_gradient = std::abs(lagrangian.gradient(once)(0)) * (1 + 1e-9);
      ASSERT_LT(options.coordinate_gradient, std::abs(g)) << "the rule " << first << ", " << shrink << ", " << slope;
      EXPECT_NEAR(theta_step(lagrangian, start, options).q(0), once.q(0), 1e-14) << name_of(step);
    }
  }
}

TEST(ThetaStep, CoordinateDescentEndsWhereTheDerivativeIsSmall) {
  for (const char* start : {"se(l=1.5, s2=1:fixed)", "se(l=0.3, s2=1:fixed)"}) {
    const Setting s(split("se(l=0.6)", start, "0.1:fixed", 80, 7), 1.2);
    for (bool raw : {false, true}) {
      const Coordinates coordinates(s.problem, raw);
      const QuadraticPenalty none = QuadraticPenalty::none(1);
      const ThetaLagrangian lagrangian(s.holdout, coordinates, s.z, s.lambda, 5, none);
      const Evaluated from = lagrangian.at(s.start(coordinates));
      ASSERT_GT(std::abs(lagrangian.gradient(from)(0)), 1);
      for (double tolerance : {1e-1, 1e-3}) {
        AdmmOptions options;
        options.theta_step = ThetaStep::coordinate;
        options.coordinate_gradient = tolerance;
        const Evaluated end = theta_step(lagrangian, from, options);
        EXPECT_LE(std::abs(lagrangian.gradient(end)(0)), tolerance) << start << (raw ? ", raw" : "");
      }
    }
  }
}

TEST(ThetaStep, CoordinateDescentLeavesTheLastCoordinateStationary) {
  const Setting s(split("se(l=0.6)", "se(l=0.9)", "0.3", 80, 8), 0.8);
  const Coordinates coordinates(s.problem, false);
  const QuadraticPenalty none = QuadraticPenalty::none(3);
  const ThetaLagrangian lagrangian(s.holdout, coordinates, s.z, s.lambda, 5, none);
  AdmmOptions options;
  options.theta_step = ThetaStep::coordinate;
  Evaluated at = lagrangian.at(s.start(coordinates));
  for (int sweep = 0; sweep < 3; ++sweep) {
    at = theta_step(lagrangian, at, options);
    EXPECT_LE(std::abs(lagrangian.gradient(at)(2)), options.coordinate_gradient);
  }
}

TEST(ThetaStep, GaussNewtonReachesAStationaryPointInAFewCalls) {
  struct Case {
    const char *kernel, *noise;
  };
  for (const auto& [kernel, noise] : {Case{"se(l=0.9, s2=1:fixed)", "0.1:fixed"}, Case{"se(l=0.9)", "0.3"},
                                      Case{"se(l=2, s2=1:fixed) + lp(l=1.3, p=1.9, s2=1:fixed)", "0.1:fixed"}}) {
    for (bool raw : {false, true}) {
      const Setting s(split("se(l=1.5) + lp(l=1, p=2)", kernel, noise, 100, 9), 1.1);
      const Coordinates coordinates(s.problem, raw);
      const QuadraticPenalty none = QuadraticPenalty::none(s.start(coordinates).size());
      const ThetaLagrangian lagrangian(s.holdout, coordinates, s.z, s.lambda, 5, none);
      Evaluated at = lagrangian.at(s.start(coordinates));
      auto slope = [&] {
        const Vector in_log = lagrangian.gradient(at).cwiseQuotient(coordinates.chain(at.q));
        return projected_norm(at.q, in_log, coordinates.lower(), coordinates.upper());
      };
      const double before = slope();
      AdmmOptions options;
      for (int call = 0; call < 10; ++call) at = theta_step(lagrangian, at, options);
      EXPECT_LT(slope(), 1e-3 * before) << kernel << (raw ? ", raw" : "");
    }
  }
}

TEST(ThetaStep, HoldsStillAtAMinimum) {
  const Setting s(split("se(l=0.6)", "se(l=0.9, s2=1:fixed)", "0.1:fixed", 80, 10), 0.8);
  const Coordinates coordinates(s.problem, false);
  const QuadraticPenalty none = QuadraticPenalty::none(1);
  const ThetaLagrangian lagrangian(s.holdout, coordinates, s.z, s.lambda, 5, none);
  const double lowest = brute_force_minimum(
      [&](double u) { return lagrangian.value(lagrangian.at(Vector::Constant(1, u))); }, std::log(0.1), std::log(3));
  for (ThetaStep step : every_step) {
    AdmmOptions options;
    options.theta_step = step;
    const Evaluated end = theta_step(lagrangian, lagrangian.at(Vector::Constant(1, lowest)), options);
    EXPECT_NEAR(end.q(0), lowest, 1e-4) << name_of(step);
  }
}

TEST(ThetaStep, DoesNotMoveToWhereTheLagrangianIsNotFinite) {
  // The square of this z overflows.
  const Setting s(split("se(l=0.6)", "se(l=0.9)", "0.1", 40, 11), 0.8);
  for (bool raw : {false, true}) {
    const Coordinates coordinates(s.problem, raw);
    const QuadraticPenalty none = QuadraticPenalty::none(3);
    for (double size : {1e150, 1e300}) {
      const Vector z = Vector::Constant(s.z.size(), size);
      const ThetaLagrangian lagrangian(s.holdout, coordinates, z, s.lambda, 5, none);
      for (ThetaStep step : every_step) {
        AdmmOptions options;
        options.theta_step = step;
        const Evaluated end = theta_step(lagrangian, lagrangian.at(s.start(coordinates)), options);
        EXPECT_TRUE(end.q.allFinite()) << name_of(step) << ", " << size;
        EXPECT_TRUE(coordinates.inside(end.q)) << name_of(step) << ", " << size;
      }
    }
  }
}

}  // namespace
}  // namespace gpcv
