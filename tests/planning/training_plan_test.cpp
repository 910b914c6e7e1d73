#include "planning/execution_plan.hpp"
#include "planning/training_levels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/message_of.hpp"
#include "support/random_kernel.hpp"

namespace gpcv {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::size_t mib = std::size_t{1} << 20, gib = std::size_t{1} << 30;

/// Only its shape matters to a plan.
Problem shaped(Index n, Index d, const std::string& kernel, const Folds& folds, double noise = 0.1) {
  Random random(5);
  return {random_inputs(random, n, d),
          random_inputs(random, n, 1),
          Kernel::parse(kernel).bind(d),
          {.variance = noise},
          folds};
}

TrainOptions with_memory(std::size_t bytes) {
  TrainOptions options;
  options.compute.memory = bytes;
  return options;
}

std::string refusal(const Problem& problem, const TrainOptions& options) {
  return message_of([&] { plan_training(problem, options); });
}

TEST(TrainingPlan, FactorisesSmallProblemsAndIteratesLargeOnes) {
  const ExecutionPlan small = plan_training(shaped(100, 2, "se(ard)", Folds::random(100, 5, 1)), with_memory(gib));
  EXPECT_EQ(small.solver, Solver::cholesky);
  EXPECT_FALSE(small.adjoint);
  EXPECT_THAT(small.reason, HasSubstr("factorised"));
  const ExecutionPlan large =
      plan_training(shaped(60000, 2, "se(ard)", Folds::random(60000, 5, 1)), with_memory(4 * gib));
  EXPECT_EQ(large.solver, Solver::cg);
  EXPECT_FALSE(large.adjoint);
  EXPECT_THAT(large.reason, HasSubstr("conjugate gradients"));
  EXPECT_GT(large.seconds, small.seconds);
  for (const ExecutionPlan& plan : {small, large}) {
    EXPECT_GT(plan.total(), 0u);
    EXPECT_LE(plan.total(), 4 * gib);
    EXPECT_TRUE(std::isfinite(plan.seconds) && plan.seconds > 0);
  }
}

TEST(TrainingPlan, TheSolverAskedForIsTaken) {
  const Problem problem = shaped(300, 2, "se(ard)", Folds::random(300, 5, 1));
  for (Solver solver : {Solver::cholesky, Solver::cg}) {
    TrainOptions options = with_memory(gib);
    options.compute.solver = solver;
    EXPECT_EQ(plan_training(problem, options).solver, solver);
  }
}

TEST(TrainingPlan, TheRankAskedForIsTakenUpToTheNumberOfRows) {
  const Problem problem = shaped(300, 2, "se(ard)", Folds::random(300, 5, 1));
  for (int rank : {0, 37, 200, 5000}) {
    TrainOptions options = with_memory(gib);
    options.compute.solver = Solver::cg;
    options.compute.rank = rank;
    EXPECT_EQ(plan_training(problem, options).iterative.rank, std::min(rank, 300));
  }
}

TEST(TrainingPlan, LittleNoiseAsksForAHigherRank) {
  TrainOptions options = with_memory(8 * gib);
  options.compute.solver = Solver::cg;
  const auto rank = [&](double noise) {
    return plan_training(shaped(20000, 2, "se", Folds::random(20000, 5, 1), noise), options).iterative.rank;
  };
  EXPECT_GE(rank(1e-4), rank(1));
  EXPECT_GT(rank(1e-4), 0);
}

TEST(TrainingPlan, SolvesFewerColumnsAtOnceWhereMemoryIsShort) {
  TrainOptions options = with_memory(gib);
  options.compute.solver = Solver::cg;
  options.compute.rank = 0;
  options.gauss_newton.derivatives = Derivatives::forward;
  const Problem problem = shaped(5000, 6, "se(ard)", Folds::random(5000, 5, 1));
  const ExecutionPlan rich = plan_training(problem, options);
  EXPECT_EQ(rich.iterative.columns, 5 * 8);
  options.compute.memory = rich.total() * 7 / 10;
  const ExecutionPlan poor = plan_training(problem, options);
  EXPECT_LT(poor.iterative.columns, rich.iterative.columns);
  EXPECT_GE(poor.iterative.columns, 1);
  EXPECT_LE(poor.total(), options.compute.memory);
}

TEST(TrainingPlan, StartsAreFollowedSideBySideOnlyWhereMemoryHoldsThemAll) {
  const Problem problem = shaped(2000, 3, "se(ard)", Folds::random(2000, 5, 1));
  for (Solver solver : {Solver::cholesky, Solver::cg}) {
    TrainOptions options = with_memory(4 * gib);
    options.compute.solver = solver;
    options.restarts = 1;
    const ExecutionPlan one = plan_training(problem, options);
    EXPECT_EQ(one.concurrent_starts, 1);
    options.restarts = 3;
    const ExecutionPlan rich = plan_training(problem, options);
    EXPECT_EQ(rich.concurrent_starts, 3);
    EXPECT_THAT(rich.reason, HasSubstr("3 starts side by side"));
    // Each start keeps an inverse or a preconditioner of its own.
    const double kept = solver == Solver::cholesky ? 8.0 * 2000 * 2000 : 8.0 * 2000 * 50;
    EXPECT_GE(static_cast<double>(rich.total()), static_cast<double>(one.total()) + 2 * kept);
    options.compute.memory = rich.total() - 1;
    const ExecutionPlan tight = plan_training(problem, options);
    EXPECT_EQ(tight.concurrent_starts, 1);
    EXPECT_EQ(tight.total(), one.total());
    EXPECT_THAT(tight.reason, HasSubstr("3 starts one after the other"));
  }
}

TEST(TrainingPlan, CheckpointsAreCountedWhereThereIsSomethingToCopy) {
  const Problem problem = shaped(2000, 3, "se(ard)", Folds::random(2000, 5, 1));
  TrainOptions options = with_memory(4 * gib);
  options.restarts = 1;
  options.gauss_newton.derivatives = Derivatives::forward;
  options.compute.solver = Solver::cg;
  const std::size_t without = plan_training(problem, options).total();
  options.checkpoint = [](const TrainingState&) {};
  const auto extra = static_cast<double>(plan_training(problem, options).total() - without);
  EXPECT_GE(extra, 2 * 8.0 * 2000 * 5 * 6);  // weights and sensitivities of all folds, at least twice
  options.compute.solver = Solver::cholesky;
  for (const PlanItem& item : plan_training(problem, options).items)
    EXPECT_THAT(item.purpose, Not(HasSubstr("checkpoint")));
}

TEST(TrainingPlan, OfNestedPartsHoldsTheMostOfAnyPartAndNoise) {
  Problem problem = shaped(30000, 2, "se(ard)", Folds::random(30000, 5, 1), 1);
  TrainOptions options = with_memory(8 * gib);
  const ExecutionPlan plan = plan_nested_training(problem, options);
  EXPECT_EQ(plan.concurrent_starts, 1);  // the starts are compared on the smallest part
  problem.noise.variance *= 1e-3;
  options.restarts = 1;
  EXPECT_GE(plan.total(), plan_training(problem, options).total());
}

TEST(TrainingPlan, HundredsOfParametersOfManyRowsAreTrainedByTheAdjoint) {
  const Problem many = shaped(20000, 300, "se(ard)", Folds::random(20000, 5, 1));
  TrainOptions options = with_memory(16 * gib);
  options.compute.solver = Solver::cg;
  const ExecutionPlan plan = plan_training(many, options);
  EXPECT_TRUE(plan.adjoint);
  EXPECT_EQ(plan.iterative.columns, 5);
  EXPECT_THAT(plan.reason, HasSubstr("adjoint"));
  options.gauss_newton.derivatives = Derivatives::forward;
  EXPECT_FALSE(plan_training(many, options).adjoint);
}

TEST(TrainingPlan, TheDerivativesAskedForAreTaken) {
  const Problem problem = shaped(300, 2, "se(ard)", Folds::random(300, 5, 1));
  for (Solver solver : {Solver::cholesky, Solver::cg}) {
    TrainOptions options = with_memory(gib);
    options.compute.solver = solver;
    options.gauss_newton.derivatives = Derivatives::adjoint;
    EXPECT_TRUE(plan_training(problem, options).adjoint);
    options.gauss_newton.derivatives = Derivatives::forward;
    EXPECT_FALSE(plan_training(problem, options).adjoint);
  }
}

TEST(TrainingPlan, LeaveOneOutFactorisesAndIsRefusedWhereThatDoesNotFit) {
  const Problem problem = shaped(2000, 1, "se", Folds::random(2000, 2000, 1));
  EXPECT_EQ(plan_training(problem, with_memory(2 * gib)).solver, Solver::cholesky);
  EXPECT_THAT(refusal(problem, with_memory(16 * mib)),
              testing::AllOf(HasSubstr("2000 folds"), HasSubstr("16"), HasSubstr("fewer folds")));
  TrainOptions iterative = with_memory(2 * gib);
  iterative.compute.solver = Solver::cg;
  EXPECT_THAT(refusal(problem, iterative), HasSubstr("conjugate gradients were asked for"));
}

TEST(TrainingPlan, RefusesWhatDoesNotFitAndSaysWhatToDo) {
  const Problem problem = shaped(3000, 2, "se", Folds::random(3000, 5, 1));
  TrainOptions options = with_memory(8 * mib);
  options.compute.solver = Solver::cholesky;
  EXPECT_THAT(refusal(problem, options), HasSubstr("a factorisation of 3000 rows needs"));
  EXPECT_EQ(remedy_of([&] { plan_training(problem, options); }), Remedy::raise_memory_or_iterate);
  EXPECT_EQ(remedy_of([&] { plan_training(problem, with_memory(100000)); }), Remedy::raise_memory);
  EXPECT_EQ(refusal(problem, with_memory(8 * mib)), "");
}

TEST(TrainingPlan, PartsAreNestedFromTheRowsAskedForOn) {
  TrainOptions options;
  options.gauss_newton.nested_from = 1000;
  EXPECT_THAT(nested_rows(999, options), testing::ElementsAre(999));
  EXPECT_THAT(nested_rows(1600, options), testing::ElementsAre(100, 400, 1600));
}

TEST(TrainingPlan, AsFewFoldsAreSampledAsValidateEnoughRows) {
  const Folds five = Folds::random(10'000, 5, 1);
  EXPECT_EQ(sampled_folds(five, 2000, 2), 1);
  EXPECT_EQ(sampled_folds(five, 2001, 2), 2);
  EXPECT_EQ(sampled_folds(five, 2000, 60), 2) << "parameters need rows, too";
  EXPECT_EQ(sampled_folds(five, 4001, 2), 0) << "three of five folds would save little";
  EXPECT_EQ(sampled_folds(five, 0, 2), 0);
  EXPECT_EQ(sampled_folds(Folds::random(10'000, 100, 1), 2000, 2), 20);
  EXPECT_EQ(sampled_folds(Folds::holdout(10'000, 0.2, 1), 100, 2), 0);
}

TEST(TrainingPlan, FoldsThatDifferAreNotSampled) {
  Folds uneven = Folds::random(10'000, 5, 1);
  Fold& first = uneven.folds.front();
  first.training.insert(first.training.end(), first.validation.begin() + 500, first.validation.end());
  first.validation.resize(500);
  EXPECT_EQ(sampled_folds(uneven, 100, 2), 0);
  const Vector time = Vector::LinSpaced(10'000, 0, 1);
  EXPECT_EQ(sampled_folds(Folds::forward_chaining(time, 5), 100, 2), 0) << "later blocks have more training rows";
}

TEST(TrainingPlan, SampledFoldsAreSpreadOverAll) {
  const Folds ten = Folds::random(1000, 10, 1);
  const Folds two = some_of(ten, 2);
  ASSERT_EQ(two.size(), 2);
  EXPECT_EQ(two.rows, 1000);
  EXPECT_EQ(two.folds[0].validation, ten.folds[2].validation);
  EXPECT_EQ(two.folds[1].validation, ten.folds[7].validation);
}

TEST(TrainingPlan, TheLastLevelHasEverything) {
  const Problem problem = shaped(40'000, 2, "se", Folds::random(40'000, 5, 1));
  const TrainOptions options;
  using testing::ElementsAre;
  const Level part{10'000}, sample{40'000, 1}, all{40'000};
  EXPECT_THAT(training_levels(problem, options, false, false), ElementsAre(Level{2500}, part, all));
  EXPECT_THAT(training_levels(problem, options, false, true), ElementsAre(Level{2500}, part, sample, all));
  EXPECT_THAT(training_levels(problem, options, true, false), ElementsAre(part, all));
  EXPECT_THAT(training_levels(problem, options, true, true), ElementsAre(part, sample, all));
  EXPECT_EQ(part_rows(19'999, options), 0);
  EXPECT_EQ(part_rows(3'000'000, options), 200'000);
}

TEST(TrainingPlan, TheNoiseRatioIsThatOfNoiseAndSignal) {
  EXPECT_NEAR(noise_ratio(shaped(50, 1, "se(s2=4)", {}, 0.2)), 0.05, 1e-12);
  EXPECT_NEAR(noise_ratio(shaped(50, 1, "se(s2=3) + matern32(s2=1)", {}, 0.2)), 0.05, 1e-12);
}

TEST(TrainingPlan, ShortLengthsSpanMoreAndCountTheInputsThatMatter) {
  const auto of = [](const char* kernel) { return shape_of(shaped(50, 2, kernel, {}, 0.2), Index{1}); };
  const Shape both = of("se(l=[1, 1])"), one = of("se(l=[0.1, 1e6])"), short_lengths = of("se(l=[0.1, 0.1])");
  EXPECT_NEAR(both.relevant, 2, 0.5);
  EXPECT_NEAR(one.relevant, 1, 1e-3);
  EXPECT_GT(short_lengths.log_volume, both.log_volume + 2);
  // The part with the shortest lengths decides.
  EXPECT_DOUBLE_EQ(of("se(l=[1, 1]) + se(l=[0.1, 0.1])").log_volume, short_lengths.log_volume);
}

}  // namespace
}  // namespace gpcv
