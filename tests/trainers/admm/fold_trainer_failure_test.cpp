/// Invalid input and diverging runs of the trainers that work fold by fold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gpcv/error.hpp"
#include "support/dense_holdout.hpp"

namespace gpcv {
namespace {

const std::vector<std::string> fold_trainers{"admm", "naive", "consensus"};

Problem hold_out(const std::string& start, const std::string& noise, Index n, std::uint64_t seed) {
  Problem problem = drawn_problem("se(l=0.6)", start, noise, n, seed);
  problem.folds = Folds::holdout(n, 0.5, seed);
  return problem;
}

TrainOptions options_of(const std::string& trainer) {
  TrainOptions options;
  options.trainer = trainer;
  options.restarts = 1;
  options.max_iterations = 60;
  return options;
}

void expect_usable(const TrainResult& result, const Problem& problem) {
  const Vector theta = theta_of(result, problem);
  EXPECT_TRUE(theta.allFinite()) << result.kernel.to_string();
  EXPECT_GT(theta.minCoeff(), 0);
  EXPECT_NE(result.status, Status::not_run);
  EXPECT_NE(result.message, "");
  for (const IterationRecord& record : result.history) {
    for (double value : record.theta) EXPECT_TRUE(std::isfinite(value) && value > 0) << record.iteration;
  }
}

TEST(FoldTrainers, RefuseOptionsThatMakeNoSense) {
  const Problem p = hold_out("se", "0.1", 40, 1);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const std::string& trainer : fold_trainers) {
    SCOPED_TRACE(trainer);
    const TrainOptions good = options_of(trainer);
    for (double bad : {0.0, -1.0, nan, infinity}) {
      TrainOptions options = good;
      options.admm.rho = bad;
      EXPECT_THROW(train(p, options), InputError) << "rho " << bad;
      options = good;
      options.admm.epsilon = bad;
      EXPECT_THROW(train(p, options), InputError) << "epsilon " << bad;
      options = good;
      options.admm.rho_dual = bad;
      EXPECT_THROW(train(p, options), InputError) << "dual rho " << bad;
      options = good;
      options.consensus.rho = bad;
      EXPECT_THROW(train(p, options), InputError) << "consensus rho " << bad;
      options = good;
      options.consensus.epsilon = bad;
      EXPECT_THROW(train(p, options), InputError) << "consensus epsilon " << bad;
    }
    for (double bad : {-1.0, nan, infinity}) {
      TrainOptions options = good;
      options.prior = bad;
      EXPECT_THROW(train(p, options), InputError) << "prior " << bad;
    }
    for (double bad : {nan, infinity}) {
      TrainOptions options = good;
      options.admm.lambda0 = bad;
      EXPECT_THROW(train(p, options), InputError) << "lambda0 " << bad;
    }
  }
}

TEST(FoldTrainers, RefuseFoldsTheyCannotUse) {
  const Problem good = hold_out("se", "0.1", 40, 1);
  for (const std::string& trainer : fold_trainers) {
    SCOPED_TRACE(trainer);
    const TrainOptions options = options_of(trainer);
    Problem none = good;
    none.folds = {};
    EXPECT_THROW(train(none, options), InputError);
    Problem no_training = good;
    no_training.folds.folds[0].training.clear();
    EXPECT_THROW(train(no_training, options), InputError);
    Problem no_validation = good;
    no_validation.folds.folds[0].validation.clear();
    EXPECT_THROW(train(no_validation, options), InputError);
    Problem other_rows = good;
    other_rows.folds = Folds::holdout(30, 0.5, 1);
    EXPECT_THROW(train(other_rows, options), InputError);
  }
  Problem two = good;
  two.folds = Folds::random(40, 2, 1);
  EXPECT_THROW(train(two, options_of("admm")), InputError);
  EXPECT_NO_THROW(train(two, options_of("naive")));
}

TEST(FoldTrainers, RefuseRowNumbersBeyondTheData) {
  for (const std::string& trainer : fold_trainers) {
    for (Index row : {Index{-1}, Index{40}}) {
      Problem validation = hold_out("se", "0.1", 40, 1), training = validation;
      validation.folds.folds[0].validation.back() = row;
      training.folds.folds[0].training.back() = row;
      EXPECT_THROW(train(validation, options_of(trainer)), InputError) << trainer << ", row " << row;
      EXPECT_THROW(train(training, options_of(trainer)), InputError) << trainer << ", row " << row;
    }
  }
}

TEST(FoldTrainers, RefuseToTrainNothing) {
  const Problem held = hold_out("se(l=1:fixed, s2=1:fixed)", "0.1:fixed", 40, 1);
  for (const std::string& trainer : fold_trainers) {
    try {
      train(held, options_of(trainer));
      ADD_FAILURE() << trainer << " trained nothing";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("held"));
    }
  }
}

TEST(FoldTrainers, RefuseUnusableProblems) {
  const Problem good = hold_out("se", "0.1", 40, 1);
  for (const std::string& trainer : fold_trainers) {
    Problem nan = good;
    nan.y(3) = std::nan("");
    EXPECT_THROW(train(nan, options_of(trainer)), InputError);
    Problem noiseless = good;
    noiseless.noise.variance = 0;
    EXPECT_THROW(train(noiseless, options_of(trainer)), InputError);
    Problem unbound = good;
    unbound.kernel = Kernel::parse("se");
    EXPECT_THROW(train(unbound, options_of(trainer)), InputError);
  }
}

TEST(FoldTrainers, AreKnownByName) {
  EXPECT_FALSE(uses_folds("likelihood"));
  for (const std::string& trainer : fold_trainers) EXPECT_TRUE(uses_folds(trainer));
  EXPECT_TRUE(measure_names({.trainer = "likelihood"}).empty());
  EXPECT_EQ(measure_names({}).size(), 7u);
  EXPECT_EQ(measure_names(options_of("consensus")).size(), 5u);
}

TEST(FoldTrainers, ATimeLimitEndsALongThetaStep) {
  for (const ThetaStep step : {ThetaStep::coordinate, ThetaStep::gradient}) {
    Problem problem = drawn_problem("se(l=0.6)", "se(l=1)", "0.1", 200, 3);
    problem.folds = Folds::holdout(200, 0.5, 1);
    TrainOptions options = options_of("admm");
    options.admm.theta_step = step;
    options.admm.theta_tolerance = {1e-300};  // out of reach
    options.admm.armijo_start = {1e-9};       // so that steps do not get lost in rounding
    options.time_limit = 0.2;
    const TrainResult result = train(problem, options);
    EXPECT_EQ(result.status, Status::time_limit);
    EXPECT_LT(result.seconds, 10);
    EXPECT_TRUE(std::isfinite(result.objective));
  }
}

TEST(FoldTrainers, AnEndThatViolatesTheConstraintIsNotConverged) {
  // With targets of 1e-8 the published penalty and multipliers dominate, and θ stops moving far from any solution.
  Problem problem = drawn_problem("se(l=0.6)", "se(l=1)", "0.1", 60, 3);
  problem.y *= 1e-8;
  hold_variances(problem.kernel);
  problem.noise.fixed = true;
  problem.folds = Folds::holdout(60, 0.5, 1);
  TrainOptions options = options_of("admm");
  use_paper_preset(options);
  const TrainResult result = train(problem, options);
  double constraint = 0;
  for (const IterationRecord& record : result.history) constraint = std::max(constraint, record.measures[0]);
  ASSERT_GT(constraint, 10);
  EXPECT_NE(result.status, Status::converged);
}

TEST(FoldTrainers, APenaltyThatIsTooSmallDoesNotEndInNan) {
  for (const char* kernel : {"se(l=1, s2=1:fixed)", "se(l=3)"}) {
    const Problem p = hold_out(kernel, "0.1", 80, 2);
    for (bool paper : {false, true}) {
      for (bool raw : {false, true}) {
        TrainOptions options = options_of("admm");
        if (paper) options.admm = AdmmOptions::paper();
        options.admm.raw_theta = raw;
        options.admm.rho = 1e-6;
        const TrainResult result = train(p, options);
        SCOPED_TRACE(std::string(kernel) + (paper ? ", paper" : "") + (raw ? ", raw: " : ": ") + result.message);
        expect_usable(result, p);
        EXPECT_TRUE(std::isfinite(result.objective));
      }
    }
  }
}

TEST(FoldTrainers, ADualStepThatIsTooLongEndsAsAFailureWithFiniteValues) {
  const Problem p = hold_out("se(l=1)", "0.1", 80, 3);
  for (bool paper : {false, true}) {
    for (double rho_dual : {1e3, 1e9, 1e200}) {
      TrainOptions options = options_of("admm");
      if (paper) options.admm = AdmmOptions::paper();
      options.admm.rho_dual = rho_dual;
      const TrainResult result = train(p, options);
      SCOPED_TRACE((paper ? "paper, " : "") + std::to_string(rho_dual) + ": " + result.message);
      expect_usable(result, p);
      EXPECT_TRUE(std::isfinite(result.objective));
      EXPECT_TRUE(result.status == Status::numerical_failure || result.status == Status::max_iterations ||
                  (paper && result.status == Status::converged))
          << name_of(result.status);
    }
  }
}

TEST(FoldTrainers, AHugeFirstMultiplierDoesNotEndInNan) {
  const Problem p = hold_out("se(l=1)", "0.1", 60, 4);
  for (bool paper : {false, true}) {
    for (double lambda0 : {1e6, -1e6, 1e200, -1e300}) {
      TrainOptions options = options_of("admm");
      if (paper) options.admm = AdmmOptions::paper();
      options.admm.lambda0 = lambda0;
      SCOPED_TRACE((paper ? "paper, " : "") + std::to_string(lambda0));
      expect_usable(train(p, options), p);
    }
  }
}

TEST(FoldTrainers, HopelessSolvesAreReportedAndNothingIsNan) {
  // Equal inputs have different targets and hardly any noise.
  Problem p = hold_out("se(l=3, s2=1:fixed)", "1e-300:fixed", 60, 5);
  for (Index i = 0; i < 60; i += 2) p.x(i + 1, 0) = p.x(i, 0);
  for (const std::string& trainer : fold_trainers) {
    if (trainer != "admm") p.folds = Folds::random(60, 2, 1);
    TrainOptions options = options_of(trainer);
    options.restarts = 2;
    options.max_iterations = 5;
    const TrainResult result = train(p, options);
    SCOPED_TRACE(trainer + ": " + result.message);
    EXPECT_NE(result.status, Status::converged);
    expect_usable(result, p);
    EXPECT_EQ(result.noise, 1e-300);
    EXPECT_EQ(result.optima.size(), 2u);
    for (const Optimum& optimum : result.optima) EXPECT_NE(optimum.status, Status::converged);
  }
}

TEST(FoldTrainers, EqualRowsAndExactDataEndWithFiniteNumbers) {
  Problem p = hold_out("se", "0.1", 60, 6);
  p.x.bottomRows(30) = p.x.topRows(30);
  p.y = p.x.col(0).array().sin();
  for (const std::string& trainer : fold_trainers) {
    if (trainer != "admm") p.folds = Folds::random(60, 2, 1);
    const TrainResult result = train(p, options_of(trainer));
    SCOPED_TRACE(trainer + ": " + result.message);
    expect_usable(result, p);
    EXPECT_TRUE(std::isfinite(result.objective));
  }
}

TEST(FoldTrainers, ATargetOfZerosHasNoErrorAndNoNan) {
  Problem p = hold_out("se(l=1)", "0.1", 40, 7);
  p.y.setZero();
  for (const std::string& trainer : fold_trainers) {
    if (trainer != "admm") p.folds = Folds::random(40, 2, 1);
    const TrainResult result = train(p, options_of(trainer));
    SCOPED_TRACE(trainer + ": " + result.message);
    expect_usable(result, p);
    EXPECT_EQ(result.objective, 0);
    for (const IterationRecord& record : result.history) {
      EXPECT_TRUE(std::isfinite(record.gradient_norm));
      for (double measure : record.measures) EXPECT_TRUE(std::isfinite(measure));
    }
  }
}

TEST(FoldTrainers, TinyAndHugeUnitsOfTheTargetDoNotMatter) {
  Problem p = hold_out("se(l=1, s2=1:fixed)", "0.1:fixed", 80, 8);
  for (const std::string& trainer : fold_trainers) {
    if (trainer != "admm") p.folds = Folds::random(80, 2, 1);
    TrainOptions options = options_of(trainer);
    const TrainResult plain = train(p, options);
    for (double unit : {1e-6, 1e6}) {
      Problem scaled = p;
      scaled.y *= unit;
      const TrainResult result = train(scaled, options);
      EXPECT_EQ(result.status, Status::converged) << trainer << ", unit " << unit << ": " << result.message;
      EXPECT_NEAR(std::log(result.kernel.theta()(0)), std::log(plain.kernel.theta()(0)), 5e-3)
          << trainer << ", " << unit;
    }
  }
}

}  // namespace
}  // namespace gpcv
