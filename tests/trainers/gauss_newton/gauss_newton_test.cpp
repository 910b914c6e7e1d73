#include "trainers/gauss_newton/gauss_newton.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "backends/dense_kernel.hpp"
#include "support/gauss_newton_runs.hpp"

namespace gpcv {
namespace {

using testing::HasSubstr;

std::vector<Problem> assorted_problems() {
  std::vector<Problem> problems{folded("se(l=1, s2=1)", "0.3", 120, 4), folded("se(l=1, s2=1)", "0.1:fixed", 120, 4),
                                folded("se(l=1) + lp(l=1.2, p=2.1, s2=0.5)", "0.2", 120, 5, "se(l=1.5) + lp(l=1, p=2)"),
                                folded("matern52(l=1)", "0.2", 120, 6)};
  problems.push_back(folded("se(l=1, s2=1)", "0.3", 120, 7));
  problems.back().folds = Folds::holdout(120, 0.4, 3);
  problems.push_back(folded("se(l=1, s2=1)", "0.3", 120, 8));
  problems.back().folds = Folds::forward_chaining(problems.back().x.col(0), 4);
  return problems;
}

TEST(GaussNewton, EndsAtAStationaryPointByEitherSolver) {
  for (const Problem& problem : assorted_problems()) {
    for (double prior : {0.0, 10.0}) {
      SCOPED_TRACE(problem.kernel.to_string() + ", " + problem.folds.description + ", prior " + std::to_string(prior));
      std::vector<Vector> ends;
      for (Solver solver : {Solver::cholesky, Solver::cg}) {
        TrainOptions options = exact(solver);
        options.scan_periods = false;
        options.prior = prior;
        const TrainResult result = train(problem, options);
        EXPECT_EQ(result.status, Status::converged) << result.message;
        const Vector u = log_theta(problem, result);
        ends.push_back(u);
        const LogParameters box = log_parameters(determined(problem));
        const Vector slope = relative_slope(problem, u, prior);
        for (Index i = 0; i < u.size(); ++i) {
          if (u(i) > box.lower(i) + 1e-6 && u(i) < box.upper(i) - 1e-6) {
            EXPECT_LT(std::abs(slope(i)), solver == Solver::cg ? 2e-3 : 5e-4) << name_of(solver) << ", parameter " << i;
          }
        }
        const double mean = squared_error(determined(problem), u) / static_cast<double>(problem.folds.validated());
        EXPECT_NEAR(result.objective, mean, 1e-5 * mean) << name_of(solver);
      }
      if (prior > 0) {
        EXPECT_LT((ends[0] - ends[1]).cwiseAbs().maxCoeff(), 1e-2);
      }
    }
  }
}

TEST(GaussNewton, ReportsTheVerifiedResidualOfEachRow) {
  for (const Problem& problem : assorted_problems()) {
    for (Solver solver : {Solver::cholesky, Solver::cg}) {
      TrainOptions options = plain();
      options.restarts = 1;
      options.compute.solver = solver;
      const TrainResult result = train(problem, options);
      const DenseCrossValidation dense(result.kernel.lower(), result.noise, problem.x, problem.y, problem.folds, {});
      const Vector expected = problem.folds.by_row(dense.residuals());
      ASSERT_EQ(result.cv_residuals.size(), expected.size());
      for (Index i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(std::isnan(result.cv_residuals(i)), std::isnan(expected(i)));
        if (!std::isnan(expected(i))) {
          EXPECT_NEAR(result.cv_residuals(i), expected(i), 1e-4);
        }
      }
      const double mean = dense.residuals().squaredNorm() / static_cast<double>(problem.folds.validated());
      EXPECT_NEAR(result.objective, mean, 1e-4 * mean);
    }
  }
}

TEST(GaussNewton, TheLastSolveGivesTheWeightsOfAllRowsToo) {
  for (const Problem& problem : assorted_problems()) {
    SCOPED_TRACE(problem.kernel.to_string() + ", " + problem.folds.description);
    TrainOptions options = plain();
    options.restarts = 1;
    options.compute.solver = Solver::cg;
    const TrainResult result = train(problem, options);
    ASSERT_EQ(result.weights.size(), problem.y.size());
    Matrix c = dense_kernel(result.kernel.lower(), problem.x, 1);
    c.diagonal().array() += result.noise;
    const double residual = (problem.y - c * result.weights).norm() / problem.y.norm();
    if (problem.folds.size() > 1) {
      EXPECT_LE(result.weights_residual, 1e-6);
      EXPECT_LE(residual, 1.01 * result.weights_residual + 1e-12);
    } else {
      EXPECT_TRUE(std::isinf(result.weights_residual));  // a hold-out's weights are only a start for all rows
    }
  }
}

TEST(GaussNewton, RecoversALengthScaleAndTheNoiseFromAnyStart) {
  for (Start start : {Start::subset, Start::values, Start::median}) {
    Problem problem = folded("se", "0.1", 400, 5, "se(l=0.5, s2=1)");
    problem.noise.given = false;
    TrainOptions options = plain();
    options.start = start;
    options.gauss_newton.tolerance = 1e-8;          // the noise is found along a flat valley
    if (start != Start::subset) options.prior = 0;  // the prior is centred on a start, and these starts are poor
    const TrainResult result = train(problem, options);
    EXPECT_EQ(result.status, Status::converged) << result.message;
    EXPECT_TRUE(result.free_scale);
    EXPECT_NEAR(result.kernel.parameters()[0].value, 0.5, 0.1) << name_of(start);
    EXPECT_NEAR(std::log(result.noise / result.kernel.parameters()[1].value), std::log(0.1), 0.7) << name_of(start);
  }
}

TEST(GaussNewton, StartsAtTheMedianDistanceWhenAskedTo) {
  // Two distant rows make the spread large; half of all distances are below 3.
  Problem problem = folded("se", "0.1", 100, 5);
  problem.x(0, 0) = -1e4;
  problem.x(99, 0) = 1e4;
  TrainOptions options = plain();
  options.start = Start::median;
  options.restarts = 1;
  const TrainResult result = train(problem, options);
  ASSERT_FALSE(result.history.empty());
  EXPECT_GT(result.history.front().theta[0], 0.3);
  EXPECT_LT(result.history.front().theta[0], 10);
}

TEST(GaussNewton, HeldParametersStay) {
  for (Start start : {Start::subset, Start::values}) {
    for (Solver solver : {Solver::cholesky, Solver::cg}) {
      const Problem problem = folded("se(l=0.8:fixed, s2=2) + lp(l=1, p=2, s2=0.3:fixed)", "0.25:fixed", 100, 6);
      TrainOptions options = plain();
      options.start = start;
      options.compute.solver = solver;
      const TrainResult result = train(problem, options);
      EXPECT_FALSE(result.free_scale);
      EXPECT_EQ(result.noise, 0.25);
      for (std::size_t i = 0; i < problem.kernel.parameters().size(); ++i) {
        const Parameter &before = problem.kernel.parameters()[i], &after = result.kernel.parameters()[i];
        EXPECT_EQ(after.fixed, before.fixed);
        if (before.fixed) {
          EXPECT_EQ(after.value, before.value) << before.name;
        }
      }
      EXPECT_NE(result.kernel.parameters()[1].value, 2);
    }
  }
}

TEST(GaussNewton, WhereTheScaleIsFreeTheParametersStayAsFreeAsTheyWere) {
  const Problem problem = folded("se(l=1, s2=3)", "0.3", 100, 6);
  const TrainResult result = train(problem, exact());
  EXPECT_TRUE(result.free_scale);
  EXPECT_EQ(result.kernel.free_parameters().size(), 2u);
  EXPECT_EQ(result.kernel.parameters()[1].value, 3);
  for (const IterationRecord& record : result.history) EXPECT_EQ(record.theta.size(), 3u);
}

TEST(GaussNewton, StaysInsideTheBoundsAndSaysSo) {
  for (Derivatives derivatives : {Derivatives::forward, Derivatives::adjoint}) {
    for (Start start : {Start::subset, Start::values}) {
      const Problem problem = folded("se(l=2 in [1.5, 2.5])", "0.3", 120, 4);
      TrainOptions options = plain();
      options.start = start;
      options.gauss_newton.derivatives = derivatives;
      const TrainResult result = train(problem, options);
      EXPECT_NEAR(result.kernel.parameters()[0].value, 1.5, 1e-6) << name_of(derivatives);
      EXPECT_THAT(result.message, HasSubstr("se.l ended at its bound"));
      for (const IterationRecord& record : result.history) {
        EXPECT_GE(record.theta[0], 1.5 * (1 - 1e-9));
        EXPECT_LE(record.theta[0], 2.5 * (1 + 1e-9));
      }
    }
  }
}

TEST(GaussNewton, AValueAtItsBoundIsWrittenAsOneThatCanBeRead) {
  // exp(log b) differs from b for many b.
  for (int i = 1; i <= 30; ++i) {
    const Problem problem = folded(fmt::format("se(l={} in [{}, {}])", i, 0.1 * i, i), "0.3", 30, 4);
    const LogParameters u = log_parameters(problem);
    for (const Vector& end : {u.lower, u.upper}) {
      const Kernel kernel = kernel_at(problem, end);
      EXPECT_NO_THROW(Kernel::parse(kernel.to_string())) << kernel.to_string();
    }
  }
}

TEST(GaussNewton, ForwardAndAdjointReachTheSameError) {
  for (const Problem& problem : assorted_problems()) {
    for (Solver solver : {Solver::cholesky, Solver::cg}) {
      TrainOptions options = plain();
      options.restarts = 1;
      options.compute.solver = solver;
      options.gauss_newton.derivatives = Derivatives::forward;
      const TrainResult forward = train(problem, options);
      options.gauss_newton.derivatives = Derivatives::adjoint;
      const TrainResult adjoint = train(problem, options);
      EXPECT_NEAR(adjoint.objective, forward.objective, 0.01 * forward.objective)
          << problem.kernel.to_string() << ", " << problem.folds.description << ", " << name_of(solver) << ": "
          << adjoint.message;
    }
  }
}

TEST(GaussNewton, FromPoorValuesForwardAndAdjointReachTheSameError) {
  const Problem problem = folded("se(l=1.2, s2=1)", "0.5", 150, 9);
  TrainOptions options = plain();
  options.restarts = 1;
  options.start = Start::values;
  options.prior = 0;
  options.gauss_newton.derivatives = Derivatives::forward;
  const TrainResult forward = train(problem, options);
  for (Solver solver : {Solver::cholesky, Solver::cg}) {
    options.compute.solver = solver;
    options.gauss_newton.derivatives = Derivatives::adjoint;
    const TrainResult adjoint = train(problem, options);
    EXPECT_NEAR(adjoint.objective, forward.objective, 0.01 * forward.objective) << adjoint.message;
  }
}

TEST(GaussNewton, SameSeedAndThreadsSameBits) {
  const Problem problem = folded("se + lp", "0.1", 150, 7, "se(l=1.5) + lp(l=1, p=2)");
  for (Solver solver : {Solver::cholesky, Solver::cg}) {
    TrainOptions options = plain();
    options.compute.threads = 2;
    options.compute.solver = solver;
    const TrainResult a = train(problem, options), b = train(problem, options);
    EXPECT_EQ(a.kernel.to_string(), b.kernel.to_string()) << name_of(solver);
    EXPECT_EQ(a.noise, b.noise);
    EXPECT_EQ(a.objective, b.objective);
    EXPECT_EQ(a.cv_residuals, b.cv_residuals);
    EXPECT_EQ(a.history.size(), b.history.size());
  }
}

TEST(GaussNewton, RecordsHaveTheNamesTheyAreToldBy) {
  const Problem problem = folded("se", "0.1", 80, 7);
  const TrainResult result = train(problem, plain());
  ASSERT_FALSE(result.history.empty());
  EXPECT_EQ(static_cast<std::size_t>(result.iterations), result.history.size());
  for (const IterationRecord& record : result.history) {
    EXPECT_EQ(record.measures.size(), measure_names(plain()).size());
    EXPECT_EQ(record.theta.size(), theta_names(problem.kernel, problem.noise).size());
    EXPECT_GT(record.objective, 0);
  }
  EXPECT_NE(result.plan, "");
  EXPECT_GT(result.work.kernel_passes, 0);
}

TEST(GaussNewton, StartsOneAfterTheOtherEndWhereStartsSideBySideEnd) {
  for (Solver solver : {Solver::cholesky, Solver::cg}) {
    for (Derivatives derivatives : {Derivatives::forward, Derivatives::adjoint}) {
      SCOPED_TRACE(fmt::format("{}, {}", name_of(solver), name_of(derivatives)));
      const Problem problem = folded("lp(l=1, p=2.1, s2=1)", "0.5", 100, 8, "lp(l=1, p=2)");
      TrainOptions options = plain();
      options.start = Start::values;
      options.restarts = 4;
      options.compute.solver = solver;
      options.compute.rank = 20;
      options.gauss_newton.derivatives = derivatives;
      const TrainResult together = train(problem, options);
      EXPECT_THAT(together.plan, HasSubstr("4 starts side by side"));
      options.compute.memory = plan_training(determined(problem), options).total() - 1;
      const TrainResult in_turn = train(problem, options);
      EXPECT_THAT(in_turn.plan, HasSubstr("4 starts one after the other"));
      ASSERT_EQ(in_turn.optima.size(), 4u);
      EXPECT_EQ(in_turn.status, together.status);
      EXPECT_LE(in_turn.objective, 1.001 * together.objective);
      EXPECT_EQ(in_turn.standard_errors.size(), together.standard_errors.size());
      EXPECT_EQ(in_turn.cv_residuals.size(), 100);
      EXPECT_EQ(in_turn.optima[0].objective, in_turn.objective);
    }
  }
}

TEST(GaussNewton, ListsEveryStartTheWinnerFirst) {
  TrainOptions options = plain();
  options.start = Start::values;
  options.restarts = 4;
  for (const char* kernel : {"se(l=3, s2=1)", "lp(l=1, p=2.1, s2=1)"}) {
    const TrainResult result = train(folded(kernel, "0.5", 100, 8, "lp(l=1, p=2)"), options);
    ASSERT_EQ(result.optima.size(), 4u);
    EXPECT_EQ(result.optima[0].objective, result.objective);
    EXPECT_TRUE(kernel_of(result.optima[0], result.kernel).theta().isApprox(result.kernel.theta(), 1e-12));
    EXPECT_NEAR(noise_of(result.optima[0], result.kernel, 0), result.noise, 1e-12 * result.noise);
    EXPECT_EQ(result.optima[0].status, result.status);
    std::set<int> restarts;
    for (const Optimum& optimum : result.optima) {
      restarts.insert(optimum.restart);
      EXPECT_GE(optimum.objective, result.objective * (1 - 1e-3));
    }
    EXPECT_EQ(restarts.size(), 4u);
    EXPECT_TRUE(std::is_sorted(result.optima.begin() + 1, result.optima.end(), [](const Optimum& a, const Optimum& b) {
      return a.objective < b.objective;
    })) << "best first";
  }
}

TEST(GaussNewton, EndsAfterAsManyStepsAsAllowed) {
  TrainOptions options = exact();
  options.max_iterations = 2;
  const TrainResult result = train(folded("se(l=3, s2=1)", "1", 120, 9), options);
  EXPECT_EQ(result.status, Status::max_iterations);
  EXPECT_EQ(result.history.size(), 3u);
  EXPECT_THAT(result.message, HasSubstr("2 steps"));
}

/// Points with the density of 100 points in [0, 10], for any number of points.
Problem long_record(Index n, std::uint64_t seed) {
  const Synthetic data = draw(Kernel::parse("se(l=0.5)"),
                              {.n = n, .upper = static_cast<double>(n) / 10, .noise = 0.1, .even = true, .seed = seed});
  return {data.x, data.y, Kernel::parse("se(l=0.6)").bind(1), Noise::parse("0.1"), Folds::random(n, 5, seed)};
}

TEST(GaussNewton, StandardErrorsAreNamedAndShrinkAsTheRowsGrow) {
  double few = 0, many = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    TrainOptions options = exact();
    options.prior = 0;
    const TrainResult a = train(long_record(100, seed), options), b = train(long_record(400, seed), options);
    ASSERT_EQ(a.standard_errors.size(), 2u);
    EXPECT_EQ(a.standard_errors[0].first, "se.l");
    EXPECT_EQ(a.standard_errors[1].first, "noise");
    few += std::log(a.standard_errors[0].second) / 5;
    many += std::log(b.standard_errors[0].second) / 5;
  }
  const double ratio = std::exp(few - many);
  EXPECT_GT(ratio, 1.4);
  EXPECT_LT(ratio, 2.8);
}

TEST(GaussNewton, StandardErrorsAreRoughlyTheSpreadOfEstimates) {
  constexpr int trials = 25;
  Vector estimates(trials), errors(trials);
  for (int trial = 0; trial < trials; ++trial) {
    TrainOptions options = exact();
    options.prior = 0;
    const TrainResult result = train(long_record(150, static_cast<std::uint64_t>(300 + trial)), options);
    estimates(trial) = std::log(result.kernel.parameters()[0].value);
    errors(trial) = result.standard_errors[0].second;
  }
  std::sort(errors.begin(), errors.end());
  const double spread = std::sqrt((estimates.array() - estimates.mean()).square().sum() / (trials - 1));
  EXPECT_LT(errors(trials / 2), 3 * spread);
  EXPECT_GT(errors(trials / 2), spread / 3);
}

TEST(GaussNewton, LeavesOneRowOut) {
  Problem problem = folded("se(l=1, s2=1)", "0.3", 40, 4);
  problem.folds = Folds::random(40, 40, 1);
  const TrainResult result = train(problem, exact());
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_LT(relative_slope(problem, log_theta(problem, result), 10).cwiseAbs().maxCoeff(), 1e-3);
  // 40 folds are few enough for the iterative solver, too.
  const TrainResult iterative = train(problem, exact(Solver::cg));
  EXPECT_LT((log_theta(problem, result) - log_theta(problem, iterative)).cwiseAbs().maxCoeff(), 1e-2);
}

TEST(GaussNewton, PartsOfTheRowsFirstEndWhereAllOfThemDo) {
  for (const Start start : {Start::subset, Start::values}) {
    const Problem problem = folded("se(l=1, s2=1)", "0.3", 800, 11, "se(l=0.5)");
    TrainOptions options = plain();
    options.start = start;
    options.restarts = 1;
    const TrainResult whole = train(problem, options);
    options.gauss_newton.nested_from = 600;
    const TrainResult nested = train(problem, options);
    EXPECT_EQ(nested.status, Status::converged) << nested.message;
    std::set<double> rows;
    for (const IterationRecord& record : nested.history) rows.insert(record.measures[0]);
    EXPECT_THAT(rows, testing::ElementsAre(50, 200, 800));
    EXPECT_LT((log_theta(problem, nested) - log_theta(problem, whole)).cwiseAbs().maxCoeff(), 0.2) << name_of(start);
    EXPECT_NEAR(nested.objective, whole.objective, 0.01 * whole.objective);
    EXPECT_EQ(nested.cv_residuals.size(), 800);
  }
}

TEST(GaussNewton, AfterPartsOfTheRowsTheToleranceAskedForIsReached) {
  const Problem problem = folded("se(l=1, s2=1)", "0.3", 800, 11, "se(l=0.5)");
  for (const Solver solver : {Solver::cholesky, Solver::cg}) {
    TrainOptions options = exact(solver);
    options.prior = 0;  // the prior would be weighted by a different first error
    // A decrease that is left moves θ by its square root over that of the curvature: 1e-10 would move it by 1e-3.
    options.gauss_newton.tolerance = 1e-12;
    const TrainResult whole = train(problem, options);
    options.gauss_newton.nested_from = 600;
    options.gauss_newton.nested_tolerance = options.gauss_newton.tolerance;
    const TrainResult nested = train(problem, options);
    EXPECT_LT((log_theta(problem, nested) - log_theta(problem, whole)).cwiseAbs().maxCoeff(), 5e-4);
    EXPECT_NEAR(nested.objective, whole.objective, 1e-7 * whole.objective);
  }
}

/// Equal rows without noise: the matrix is singular.
TEST(GaussNewton, JitterIsReported) {
  Problem problem = drawn_problem("se(l=1)", "se(l=1, s2=1:fixed)", "1e-20:fixed", 40, 3);
  for (Index i = 0; i < 40; i += 2) {
    problem.x(i + 1, 0) = problem.x(i, 0);
    problem.y(i + 1) = problem.y(i);
  }
  problem.folds = Folds::random(40, 4, 1);
  TrainOptions options;
  options.start = Start::values;
  options.compute.solver = Solver::cholesky;
  const TrainResult result = train(problem, options);
  EXPECT_GT(result.jitter, 0);
  EXPECT_NE(result.message.find("jitter"), std::string::npos) << result.message;
}

}  // namespace
}  // namespace gpcv
