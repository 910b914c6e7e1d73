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

/// Ways to choose the next θ that never increase the Lagrangian.
struct Way {
  ThetaStep step;
  StepRule rule;
};
constexpr Way descending[] = {{ThetaStep::coordinate, StepRule::armijo},
                              {ThetaStep::coordinate, StepRule::line},
                              {ThetaStep::gradient, StepRule::armijo},
                              {ThetaStep::gradient, StepRule::line}};

AdmmOptions options_of(const Way& way, int most = 200) {
  AdmmOptions options;
  options.theta_step = way.step;
  options.step_rule = way.rule;
  options.theta_steps = most;
  return options;
}
AdmmOptions adam() {
  AdmmOptions options;
  options.theta_step = ThetaStep::adam;
  return options;
}
std::string words(const Way& way, bool raw) {
  return std::string(name_of(way.step)) + " " + std::string(name_of(way.rule)) + (raw ? ", raw" : "");
}

/// The θ-step without moments of an earlier one.
ThetaMove stepped(const ThetaLagrangian& lagrangian, const Evaluated& start, const AdmmOptions& options) {
  AdamMoments moments;
  return theta_step(lagrangian, start, options, moments);
}

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
      for (const Way& way : descending) {
        const AdmmOptions options = options_of(way, 20);
        const double rho = random.uniform(0.1, 20);
        const ThetaLagrangian lagrangian(s.holdout, coordinates, s.z, s.lambda, rho, pull);
        const Evaluated start = lagrangian.at(s.start(coordinates));
        const Evaluated end = stepped(lagrangian, start, options).at;
        SCOPED_TRACE(s.problem.kernel.to_string() + ", " + words(way, raw));
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
    for (const Way& way : descending) {
      const double reached = lagrangian.value(stepped(lagrangian, start, options_of(way)).at);
      EXPECT_LT(reached, lagrangian.value(start) - 0.05 * std::abs(lagrangian.value(start))) << words(way, raw);
    }
    const double by_adam = lagrangian.value(stepped(lagrangian, start, adam()).at);
    EXPECT_LT(by_adam, lagrangian.value(start) - 0.05 * std::abs(lagrangian.value(start))) << (raw ? "raw" : "log");
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
    for (const Way& way : descending) {
      const Evaluated end = stepped(lagrangian, start, options_of(way)).at;
      EXPECT_TRUE(coordinates.inside(end.q)) << words(way, raw);
      EXPECT_LT(end.q(0), start.q(0)) << words(way, raw);
    }
    EXPECT_EQ(stepped(lagrangian, start, adam()).at.q(0), coordinates.lower()(0));
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
      options.armijo_start = {first};
      options.armijo_shrink = shrink;
      options.armijo_slope = slope;
      // After one step, the derivative is below this limit.
      const Evaluated once = lagrangian.at(start.q.array() - t * g);
      options.theta_tolerance = {std::abs(lagrangian.gradient(once)(0)) * (1 + 1e-9)};
      ASSERT_LT(options.theta_tolerance[0], std::abs(g)) << "the rule " << first << ", " << shrink << ", " << slope;
      EXPECT_NEAR(stepped(lagrangian, start, options).at.q(0), once.q(0), 1e-14) << name_of(step);
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
        options.theta_tolerance = {tolerance};
        const Evaluated end = stepped(lagrangian, from, options).at;
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
    at = stepped(lagrangian, at, options).at;
    EXPECT_LE(std::abs(lagrangian.gradient(at)(2)), options.theta_tolerance[0]);
  }
}

/// Settings of one problem with three free parameters, for single steps.
struct ThreeParameters {
  Setting s{split("se(l=0.6)", "se(l=0.9)", "0.3", 80, 8), 0.8};
  Coordinates coordinates{s.problem, true};
  ThetaLagrangian lagrangian{s.holdout, coordinates, s.z, s.lambda, 5, QuadraticPenalty::none(3)};
  Evaluated start = lagrangian.at(s.start(coordinates));
};

TEST(ThetaStep, TheConstantRuleIsOneStepAlongTheGradient) {
  const ThreeParameters t;
  for (const double size : {1e-6, 1e-5}) {
    AdmmOptions options = options_of({ThetaStep::gradient, StepRule::constant});
    options.theta_steps.reset();
    options.step_size = size;
    const ThetaMove move = stepped(t.lagrangian, t.start, options);
    EXPECT_EQ(move.steps, 1);
    const Vector expected = t.start.q - size * t.lagrangian.gradient(t.start);
    EXPECT_LT((move.at.q - expected).norm(), 1e-14 * expected.norm());
  }
}

TEST(ThetaStep, LineMinimisationEndsWhereTheDerivativeAlongTheLineVanishes) {
  const ThreeParameters t;
  const Vector gradient = t.lagrangian.gradient(t.start);
  const ThetaMove move = stepped(t.lagrangian, t.start, options_of({ThetaStep::gradient, StepRule::line}, 1));
  EXPECT_EQ(move.steps, 1);
  EXPECT_TRUE(move.limited);
  const double along = t.lagrangian.gradient(move.at).dot(gradient);
  EXPECT_LT(std::abs(along), 1e-4 * gradient.squaredNorm());
}

TEST(ThetaStep, AdamKeepsItsMomentsFromSweepToSweep) {
  const ThreeParameters t;
  AdmmOptions options = adam();
  options.step_size = 1e-3;
  options.theta_steps = 6;
  const ThetaMove once = stepped(t.lagrangian, t.start, options);
  options.theta_steps = 3;
  AdamMoments moments;
  const ThetaMove half = theta_step(t.lagrangian, t.start, options, moments);
  const ThetaMove whole = theta_step(t.lagrangian, half.at, options, moments);
  EXPECT_EQ(moments.steps, 6);
  EXPECT_LT((whole.at.q - once.at.q).norm(), 1e-14);
  EXPECT_GT((whole.at.q - stepped(t.lagrangian, half.at, options).at.q).norm(), 1e-6);
  // The first step of Adam has the length of its rate in every coordinate.
  options.theta_steps = 1;
  const Vector first = stepped(t.lagrangian, t.start, options).at.q - t.start.q;
  for (const double change : first) EXPECT_NEAR(std::abs(change), 1e-3, 1e-8);
}

TEST(ThetaStep, TheLimitOfStepsIsReportedAndIsFarAway) {
  const Setting s(split("se(l=0.6)", "se(l=1.5, s2=1:fixed)", "0.1:fixed", 80, 7), 1.2);
  const Coordinates coordinates(s.problem, true);
  const ThetaLagrangian lagrangian(s.holdout, coordinates, s.z, s.lambda, 5, QuadraticPenalty::none(1));
  const Evaluated start = lagrangian.at(s.start(coordinates));
  AdmmOptions options;
  options.theta_step = ThetaStep::coordinate;
  EXPECT_EQ(options.most_theta_steps(), 100000);
  const ThetaMove whole = stepped(lagrangian, start, options);
  EXPECT_FALSE(whole.limited);
  ASSERT_GT(whole.steps, 3);
  options.theta_steps = whole.steps - 1;
  const ThetaMove cut = stepped(lagrangian, start, options);
  EXPECT_TRUE(cut.limited);
  EXPECT_EQ(cut.steps, whole.steps - 1);
}

TEST(ThetaStep, EachParameterHasItsOwnFirstStepAndTolerance) {
  const ThreeParameters t;
  AdmmOptions options = options_of({ThetaStep::coordinate, StepRule::armijo}, 100000);
  options.theta_tolerance = {1e9, 1e9, 1e-2};
  const ThetaMove last = stepped(t.lagrangian, t.start, options);
  EXPECT_EQ(last.at.q.head(2), t.start.q.head(2));
  EXPECT_NE(last.at.q(2), t.start.q(2));
  EXPECT_LE(std::abs(t.lagrangian.gradient(last.at)(2)), 1e-2);
  // A first step that is too short for the rule to refuse it is taken as it is.
  options.theta_tolerance = {1e-3, 1e9, 1e9};
  options.armijo_start = {1e-9, 1, 1};
  options.theta_steps = 1;
  const double slope = t.lagrangian.gradient(t.start)(0);
  EXPECT_NEAR(stepped(t.lagrangian, t.start, options).at.q(0), t.start.q(0) - 1e-9 * slope, 1e-13);
}

TEST(ThetaStep, HoldsStillAtAMinimum) {
  const Setting s(split("se(l=0.6)", "se(l=0.9, s2=1:fixed)", "0.1:fixed", 80, 10), 0.8);
  const Coordinates coordinates(s.problem, false);
  const QuadraticPenalty none = QuadraticPenalty::none(1);
  const ThetaLagrangian lagrangian(s.holdout, coordinates, s.z, s.lambda, 5, none);
  const double lowest = brute_force_minimum(
      [&](double u) { return lagrangian.value(lagrangian.at(Vector::Constant(1, u))); }, std::log(0.1), std::log(3));
  for (const Way& way : descending) {
    const ThetaMove move = stepped(lagrangian, lagrangian.at(Vector::Constant(1, lowest)), options_of(way));
    EXPECT_NEAR(move.at.q(0), lowest, 1e-4) << words(way, false);
    EXPECT_FALSE(move.limited) << words(way, false);
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
      std::vector<AdmmOptions> all{adam(), options_of({ThetaStep::gradient, StepRule::constant}, 1)};
      for (const Way& way : descending) all.push_back(options_of(way, 10));
      for (const AdmmOptions& options : all) {
        const Evaluated end = stepped(lagrangian, lagrangian.at(s.start(coordinates)), options).at;
        EXPECT_TRUE(end.q.allFinite()) << name_of(options.theta_step) << ", " << size;
        EXPECT_TRUE(coordinates.inside(end.q)) << name_of(options.theta_step) << ", " << size;
      }
    }
  }
}

}  // namespace
}  // namespace gpcv
