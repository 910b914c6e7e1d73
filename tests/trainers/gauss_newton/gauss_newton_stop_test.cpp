/// Trainings that are stopped early, and trainings that resume from a checkpoint.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "planning/execution_plan.hpp"
#include "support/gauss_newton_runs.hpp"
#include "trainers/common/training_state.hpp"

namespace gpcv {
namespace {

using testing::HasSubstr;

TEST(GaussNewtonStop, StopsWhenTheObserverSaysSo) {
  const Problem problem = folded("se(l=3, s2=1)", "1", 120, 9);
  for (Derivatives derivatives : {Derivatives::forward, Derivatives::adjoint}) {
    for (int most : {1, 2, 4}) {
      TrainOptions options = exact();
      options.restarts = 2;
      options.gauss_newton.derivatives = derivatives;
      int calls = 0;
      const TrainResult result = train(problem, options, [&](const IterationRecord&) { return ++calls < most; });
      SCOPED_TRACE(std::string(name_of(derivatives)) + ", " + std::to_string(most) + ": " + result.message);
      EXPECT_EQ(result.status, Status::stopped);
      EXPECT_EQ(calls, most);
      expect_usable(result, problem);
      EXPECT_TRUE(std::isfinite(result.objective));
    }
  }
}

/// Expects that the error reported by a stopped training is correct.
void expect_honest(const TrainResult& result, const Problem& problem) {
  expect_usable(result, problem);
  if (std::isnan(result.objective)) return;
  const Problem held = determined(problem);
  const double mean = squared_error(held, log_theta(problem, result)) / static_cast<double>(problem.folds.validated());
  EXPECT_NEAR(result.objective, mean, 0.05 * mean);
}

TEST(GaussNewtonStop, AStopRequestEndsItWithFiniteValuesWheneverItComes) {
  const Problem problem = folded("se(l=3, s2=1)", "1", 120, 9);
  for (Solver solver : {Solver::cholesky, Solver::cg}) {
    for (Start start : {Start::values, Start::subset}) {
      for (int after : {0, 1, 2, 3, 5, 10, 30, 100}) {
        TrainOptions options = exact(solver);
        options.gauss_newton.derivatives = after % 2 == 0 ? Derivatives::forward : Derivatives::adjoint;
        options.start = start;
        options.restarts = 2;
        int asked = 0;
        options.compute.stop = [&] { return ++asked > after; };
        SCOPED_TRACE(std::string(name_of(solver)) + ", " + std::string(name_of(start)) + ", after " +
                     std::to_string(after));
        TrainResult result;
        ASSERT_NO_THROW(result = train(problem, options));
        if (asked > after) {
          EXPECT_EQ(result.status, Status::stopped) << result.message;
        }
        expect_honest(result, problem);
      }
    }
  }
}

TEST(GaussNewtonStop, ATimeLimitEndsItWithTheBestSoFar) {
  const Problem problem = folded("se(l=3, s2=1)", "1", 300, 9);
  for (Solver solver : {Solver::cholesky, Solver::cg}) {
    for (Start start : {Start::values, Start::subset}) {
      for (double seconds : {1e-9, 0.005, 0.05}) {
        TrainOptions options = exact(solver);
        options.start = start;
        options.time_limit = seconds;
        SCOPED_TRACE(std::string(name_of(solver)) + ", " + std::string(name_of(start)) + ", " +
                     std::to_string(seconds));
        TrainResult result;
        ASSERT_NO_THROW(result = train(problem, options));
        if (seconds < 1e-6) {
          EXPECT_EQ(result.status, Status::time_limit) << result.message;
          EXPECT_THAT(result.message, HasSubstr("time limit"));
        }
        if (std::isnan(result.objective)) {
          EXPECT_THAT(result.message, HasSubstr("start values")) << "nothing was trained";
        }
        expect_honest(result, problem);
      }
    }
  }
}

TEST(GaussNewtonStop, BeforeTheFirstErrorItKeepsTheBestStartFound) {
  const Problem problem = folded("se(l=3, s2=1)", "1", 120, 9);
  TrainOptions options = exact(Solver::cg);
  options.start = Start::subset;
  TrainResult last;  // the one that came furthest among those stopped without an error
  constexpr int most = 10000;
  int after = 1;
  for (; after < most; ++after) {
    int asked = 0;
    options.compute.stop = [&] { return ++asked > after; };
    const TrainResult result = train(problem, options);
    if (!std::isnan(result.objective)) break;
    last = result;
  }
  ASSERT_LT(after, most) << "the first error is never known";
  ASSERT_EQ(last.status, Status::stopped);
  EXPECT_THAT(last.message, HasSubstr("start values, not trained"));
  EXPECT_GT(std::abs(last.kernel.parameters()[0].value / 3 - 1), 0.5) << "the truth is 0.6, it began at 3";
}

std::vector<TrainingState> states_of(const Problem& problem, TrainOptions options, TrainResult& result) {
  std::vector<TrainingState> states;
  options.checkpoint = [&](const TrainingState& state) { states.push_back(state); };
  result = train(problem, options);
  return states;
}

/// Expects that earlier records are unchanged, that each later point is recorded once, and that all points are counted.
void expect_continues(const TrainResult& resumed, const TrainingState& from) {
  EXPECT_EQ(resumed.iterations, static_cast<int>(resumed.history.size()));
  ASSERT_GE(resumed.history.size(), from.history.size());
  std::set<std::tuple<double, int, int>> points;
  for (std::size_t r = 0; r < resumed.history.size(); ++r) {
    const IterationRecord& record = resumed.history[r];
    EXPECT_TRUE(points.insert({record.measures[0], record.restart, record.iteration}).second)
        << "start " << record.restart << ", step " << record.iteration << " is recorded twice";
    if (r >= from.history.size()) continue;
    EXPECT_EQ(record.theta, from.history[r].theta);
    EXPECT_EQ(record.objective, from.history[r].objective);
    EXPECT_EQ(record.seconds, from.history[r].seconds);
  }
}

void expect_resumes(const Problem& problem, TrainOptions options, double tolerance = 1e-3) {
  TrainResult whole;
  const std::vector<TrainingState> states = states_of(problem, options, whole);
  ASSERT_FALSE(states.empty());
  for (std::size_t i = 0; i < states.size(); ++i) {
    SCOPED_TRACE("state " + std::to_string(i) + " of " + std::to_string(states.size()));
    options.resume = std::make_shared<TrainingState>(states[i]);
    const TrainResult resumed = train(problem, options);
    EXPECT_EQ(resumed.status, whole.status) << resumed.message;
    EXPECT_LT((log_theta(problem, resumed) - log_theta(problem, whole)).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_NEAR(resumed.objective, whole.objective, std::max(1e-3, 0.2 * tolerance) * whole.objective);
    EXPECT_EQ(resumed.standard_errors.size(), whole.standard_errors.size()) << "also when nothing was left to do";
    EXPECT_GE(resumed.seconds, states[i].seconds);
    expect_continues(resumed, states[i]);
  }
}

TEST(GaussNewtonStop, GoesOnFromEveryCheckpointToTheSameEnd) {
  for (Solver solver : {Solver::cholesky, Solver::cg}) {
    for (const char* noise : {"1", "1:fixed"}) {
      SCOPED_TRACE(std::string(name_of(solver)) + ", noise " + noise);
      expect_resumes(folded("se(l=3, s2=1)", noise, 120, 9), exact(solver));
    }
  }
}

TEST(GaussNewtonStop, GoesOnFromACheckpointOfSeveralStartsAndOfAPart) {
  TrainOptions several = exact();
  several.restarts = 3;
  expect_resumes(folded("se(l=3, s2=1)", "1", 120, 9), several);
  TrainOptions nested = exact();
  nested.gauss_newton.nested_from = 400;
  nested.gauss_newton.nested_tolerance = 1e-8;  // a resumed run has no secants: only exact ends are one
  expect_resumes(folded("se(l=3, s2=1)", "1", 480, 9), nested, 2e-2);
}

TEST(GaussNewtonStop, GoesOnFromACheckpointOfStartsThatAreFollowedOneAfterTheOther) {
  const Problem problem = folded("se(l=3, s2=1)", "1", 120, 9);
  for (const Solver solver : {Solver::cholesky, Solver::cg}) {
    for (const int starts : {2, 3, 5}) {
      SCOPED_TRACE(fmt::format("{}, {} starts", name_of(solver), starts));
      TrainOptions in_turn = exact(solver);
      in_turn.restarts = starts;
      in_turn.compute.rank = 20;
      in_turn.compute.memory = plan_training(determined(problem), in_turn).total() - 1;
      ASSERT_EQ(plan_training(determined(problem), in_turn).concurrent_starts, 1);
      expect_resumes(problem, in_turn);
    }
  }
}

TEST(GaussNewtonStop, TheAdjointTakesCheckpointsToo) {
  TrainOptions options = exact();
  options.gauss_newton.derivatives = Derivatives::adjoint;
  TrainResult result;
  EXPECT_FALSE(states_of(folded("se(l=3, s2=1)", "1", 120, 9), options, result).empty());
}

}  // namespace
}  // namespace gpcv
