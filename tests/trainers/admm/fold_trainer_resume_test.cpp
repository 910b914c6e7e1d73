// Trainings by folds that are interrupted between two steps and resumed.
#include <gtest/gtest.h>

#include <memory>

#include "gpcv/error.hpp"
#include "support/gauss_newton_runs.hpp"
#include "trainers/common/training_state.hpp"

namespace gpcv {
namespace {

struct Case {
  std::string trainer;
  InnerEngine inner = InnerEngine::gauss_newton;
  bool paper = false;
  int restarts = 1;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.trainer << (c.paper ? " as published" : "") << " inner " << name_of(c.inner) << ", " << c.restarts
             << " starts";
}

Problem problem_for(const Case& c) {
  Problem problem = folded("se(l=2, s2=1)", c.paper ? "0.05:fixed" : "0.3", 90, 4);
  if (c.trainer == "admm") problem.folds = Folds::holdout(90, 0.4, 4);
  if (c.paper) hold_variances(problem.kernel);
  return problem;
}

TrainOptions options_for(const Case& c) {
  TrainOptions options;
  options.trainer = c.trainer;
  if (c.paper) use_paper_preset(options);
  options.restarts = c.restarts;
  options.admm.epsilon = 1e-4;  // small, because the remaining error depends on where each solve starts
  options.consensus.inner = c.inner;
  options.compute.precision = Precision::double_;
  return options;
}

std::vector<TrainingState> states_of(const Problem& problem, TrainOptions options) {
  std::vector<TrainingState> states;
  options.checkpoint = [&](const TrainingState& state) { states.push_back(state); };
  train(problem, options);
  return states;
}

class FoldTrainersResume : public ::testing::TestWithParam<Case> {};

TEST_P(FoldTrainersResume, FromAnyStepToTheSameTheta) {
  const Problem problem = problem_for(GetParam());
  TrainOptions options = options_for(GetParam());
  const TrainResult whole = train(problem, options);
  const std::vector<TrainingState> states = states_of(problem, options);
  ASSERT_GT(states.size(), 3u);
  for (std::size_t i = 0; i < states.size(); i += std::max<std::size_t>(1, states.size() / 6)) {
    options.resume = std::make_shared<TrainingState>(states[i]);
    const TrainResult resumed = train(problem, options);
    SCOPED_TRACE(i);
    EXPECT_EQ(resumed.status, whole.status) << resumed.message;
    EXPECT_NEAR(resumed.objective, whole.objective, 1e-4 * whole.objective);
    const auto values = [&](const TrainResult& result) {
      Problem end = problem;
      end.kernel = result.kernel;
      end.noise.variance = result.noise;
      return log_parameters(end).value;
    };
    EXPECT_LT((values(resumed) - values(whole)).cwiseAbs().maxCoeff(), 5e-3);
    EXPECT_EQ(resumed.optima.size(), whole.optima.size());
    EXPECT_GE(resumed.seconds, states[i].seconds);
    // The history has every iteration once, in the order of an uninterrupted training.
    ASSERT_GE(resumed.history.size(), states[i].history.size());
    for (std::size_t r = 1; r < resumed.history.size(); ++r) {
      const IterationRecord &a = resumed.history[r - 1], &b = resumed.history[r];
      if (a.restart == b.restart && a.fold == b.fold) {
        EXPECT_EQ(b.iteration, a.iteration + 1);
      }
    }
  }
}

TEST_P(FoldTrainersResume, AfterTheEndWithNothingLeftToDo) {
  const Problem problem = problem_for(GetParam());
  TrainOptions options = options_for(GetParam());
  const TrainResult whole = train(problem, options);
  const std::vector<TrainingState> states = states_of(problem, options);
  ASSERT_FALSE(states.empty());
  options.resume = std::make_shared<TrainingState>(states.back());
  int observed = 0;
  const TrainResult resumed = train(problem, options, [&](const IterationRecord&) {
    ++observed;
    return true;
  });
  EXPECT_EQ(observed, 0);
  EXPECT_EQ(resumed.status, whole.status);
  EXPECT_EQ(resumed.history.size(), whole.history.size());
  EXPECT_NEAR(resumed.objective, whole.objective, 1e-9 * whole.objective);
}

INSTANTIATE_TEST_SUITE_P(Trainers, FoldTrainersResume,
                         ::testing::Values(Case{"admm"}, Case{.trainer = "admm", .paper = true},
                                           Case{.trainer = "admm", .restarts = 3}, Case{"naive"}, Case{"consensus"},
                                           Case{"consensus", InnerEngine::admm},
                                           Case{.trainer = "consensus", .restarts = 2}));

TEST(FoldTrainers, RefuseAStateOfOtherFolds) {
  for (const char* trainer : {"naive", "consensus"}) {
    const Case c{trainer};
    Problem problem = problem_for(c);
    TrainOptions options = options_for(c);
    options.resume = std::make_shared<TrainingState>(states_of(problem, options).front());
    problem.folds = Folds::random(90, 3, 4);
    EXPECT_THROW(train(problem, options), InputError) << trainer;
  }
}

}  // namespace
}  // namespace gpcv
