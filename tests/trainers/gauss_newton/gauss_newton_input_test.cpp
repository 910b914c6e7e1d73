/// Unusual, degenerate and infeasible problems.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "gpcv/error.hpp"
#include "support/gauss_newton_runs.hpp"
#include "trainers/start/subset_start.hpp"

namespace gpcv {
namespace {

TEST(GaussNewtonInput, RefusesOptionsThatMakeNoSense) {
  const Problem problem = folded("se", "0.1", 40, 1);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (double bad : {0.0, -1.0, nan, infinity}) {
    TrainOptions options = plain();
    options.gauss_newton.tolerance = bad;
    EXPECT_THROW(train(problem, options), InputError) << "tolerance " << bad;
    options = plain();
    options.gauss_newton.sensitivity_residual = bad;
    EXPECT_THROW(train(problem, options), InputError) << "sensitivity residual " << bad;
  }
  for (double bad : {-1.0, nan}) {
    TrainOptions options = plain();
    options.time_limit = bad;
    EXPECT_THROW(train(problem, options), InputError) << "time limit " << bad;
    options = plain();
    options.prior = bad;
    EXPECT_THROW(train(problem, options), InputError) << "prior " << bad;
  }
  Problem none = problem;
  none.folds = {};
  EXPECT_THROW(train(none, plain()), InputError);
}

TEST(GaussNewtonInput, APartThatNoFoldIsLeftOfIsSkipped) {
  Problem problem = folded("se(l=1, s2=1)", "0.3", 800, 11, "se(l=0.5)");
  const std::vector<Index> part = random_rows(800, 50, 1);
  Fold fold;
  for (Index i = 0; i < 800; ++i) {
    const bool validates = i % 40 == 7 && !std::binary_search(part.begin(), part.end(), i);
    (validates ? fold.validation : fold.training).push_back(i);
  }
  problem.folds = {800, {fold}, "a few rows"};
  ASSERT_EQ(problem.folds.of_rows(part).size(), 0);
  for (Solver solver : {Solver::cholesky, Solver::cg}) {
    TrainOptions options = plain();
    options.start = Start::values;
    options.restarts = 1;
    options.seed = 1;
    options.gauss_newton.nested_from = 600;
    options.compute.solver = solver;
    const TrainResult result = train(problem, options);
    EXPECT_EQ(result.status, Status::converged) << result.message;
    EXPECT_TRUE(std::isfinite(result.objective));
    EXPECT_EQ(result.optima.size(), 1u);
    for (const IterationRecord& record : result.history) EXPECT_TRUE(std::isfinite(record.objective));
  }
}

TEST(GaussNewtonInput, TheUnitOfTheTargetDoesNotMatter) {
  for (Derivatives derivatives : {Derivatives::forward, Derivatives::adjoint}) {
    for (Solver solver : {Solver::cholesky, Solver::cg}) {
      Problem problem = folded("se", "0.1", 100, 8);
      problem.noise.given = false;
      TrainOptions options = exact(solver);
      options.gauss_newton.derivatives = derivatives;
      const TrainResult plain_units = train(problem, options);
      for (double unit : {1e-6, 1e6}) {
        Problem other = problem;
        other.y *= unit;
        const TrainResult result = train(other, options);
        SCOPED_TRACE(std::string(name_of(derivatives)) + ", " + std::string(name_of(solver)));
        EXPECT_NEAR(std::log(result.kernel.parameters()[0].value), std::log(plain_units.kernel.parameters()[0].value),
                    0.02)
            << unit << ": " << result.message;
        EXPECT_NEAR(result.objective / (unit * unit), plain_units.objective, 1e-2 * plain_units.objective);
      }
    }
  }
}

TEST(GaussNewtonInput, EqualRowsAndExactDataEndWithFiniteNumbers) {
  Problem problem = folded("se", "0.1", 60, 6);
  problem.noise.given = false;
  problem.x.bottomRows(30) = problem.x.topRows(30);
  problem.y = problem.x.col(0).array().sin();
  for (Solver solver : {Solver::cholesky, Solver::cg}) {
    TrainOptions options = plain();
    options.compute.solver = solver;
    const TrainResult result = train(problem, options);
    SCOPED_TRACE(result.message);
    expect_usable(result, problem);
    EXPECT_TRUE(std::isfinite(result.objective));
  }
}

TEST(GaussNewtonInput, ATargetOfZerosHasNoErrorAndNoNan) {
  Problem problem = folded("se(l=1)", "0.1", 40, 7);
  problem.y.setZero();
  for (Solver solver : {Solver::cholesky, Solver::cg}) {
    for (Derivatives derivatives : {Derivatives::forward, Derivatives::adjoint}) {
      TrainOptions options = plain();
      options.compute.solver = solver;
      options.gauss_newton.derivatives = derivatives;
      const TrainResult result = train(problem, options);
      SCOPED_TRACE(result.message);
      expect_usable(result, problem);
      EXPECT_EQ(result.objective, 0);
    }
  }
}

TEST(GaussNewtonInput, HopelessSolvesAreMadeEasierAndNothingIsNan) {
  Problem problem = folded("se(l=3, s2=1:fixed)", "1e-300:fixed", 60, 5);
  for (Index i = 0; i < 60; i += 2) problem.x(i + 1, 0) = problem.x(i, 0);
  for (Start start : {Start::values, Start::subset}) {
    TrainOptions options = plain();
    options.start = start;
    options.compute.solver = Solver::cg;
    const TrainResult result = train(problem, options);
    SCOPED_TRACE(result.message);
    EXPECT_THAT(result.message, ::testing::HasSubstr("evaluated by factorising"));
    expect_usable(result, problem);
  }
}

TEST(GaussNewtonInput, NothingToTrainIsEvaluatedOnce) {
  const Problem problem = folded("se(l=0.6:fixed, s2=1:fixed)", "0.2:fixed", 60, 6);
  for (Solver solver : {Solver::cholesky, Solver::cg}) {
    for (Start start : {Start::values, Start::subset}) {
      TrainOptions options = plain();
      options.compute.solver = solver;
      options.start = start;
      const TrainResult result = train(problem, options);
      EXPECT_EQ(result.status, Status::converged);
      const double mean = squared_error(problem, Vector()) / 60;
      EXPECT_NEAR(result.objective, mean, 1e-5 * mean);
    }
  }
}

}  // namespace
}  // namespace gpcv
