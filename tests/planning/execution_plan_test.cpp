#include "planning/execution_plan.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gpcv/quantity.hpp"
#include "support/message_of.hpp"

namespace gpcv {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

Shape shape(Index n, Index columns = 10) { return {.n = n, .d = 8, .columns = columns, .folds = 5}; }

ComputeOptions with(std::size_t budget, Solver solver = Solver::automatic) {
  return {.solver = solver, .memory = budget};
}

TEST(ExecutionPlan, NeverExceedsItsBudget) {
  for (Index n : {100, 3000, 20'000, 200'000}) {
    for (std::size_t budget : {64 * mebibyte, 512 * mebibyte, 8192 * mebibyte}) {
      try {
        const ExecutionPlan plan = plan_solves(shape(n), with(budget));
        EXPECT_LE(plan.total(), budget);
        EXPECT_EQ(plan.budget, budget);
      } catch (const InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("at least"));
      }
    }
  }
}

TEST(ExecutionPlan, SmallProblemsAreFactorisedAndLargeOnesAreNot) {
  EXPECT_EQ(plan_solves(shape(500), with(1024 * mebibyte)).solver, Solver::cholesky);
  EXPECT_EQ(plan_solves(shape(100'000), with(1024 * mebibyte)).solver, Solver::cg);
  EXPECT_EQ(plan_solves(shape(500), with(1024 * mebibyte, Solver::cg)).solver, Solver::cg);
}

TEST(ExecutionPlan, GivesUpNeighboursThenColumnsThenRankBeforeRefusing) {
  const Shape wide = shape(50'000, 100);
  const ExecutionPlan rich = plan_solves(wide, with(4096 * mebibyte, Solver::cg));
  EXPECT_EQ(rich.iterative.columns, 100);
  const ExecutionPlan less = plan_solves(wide, with(rich.total() - mebibyte, Solver::cg));
  EXPECT_EQ(less.iterative.columns, 100);
  EXPECT_LT(less.iterative.neighbours, rich.iterative.neighbours);
  const ExecutionPlan tight = plan_solves(wide, with(rich.total() / 3, Solver::cg));
  EXPECT_LT(tight.iterative.columns, rich.iterative.columns);
  EXPECT_EQ(tight.iterative.rank, rich.iterative.rank);
  const ExecutionPlan poor = plan_solves(wide, with(100 * mebibyte, Solver::cg));
  EXPECT_EQ(poor.iterative.columns, 1);
  EXPECT_LT(poor.iterative.rank, rich.iterative.rank);
}

TEST(ExecutionPlan, NeighboursServeWhereAFewScreenARow) {
  Shape of_one_input = shape(36'000, 6), of_six = of_one_input;
  of_one_input.relevant = 1.5;
  of_one_input.log_volume = 3.8;
  of_six.relevant = 5.7;
  of_six.log_volume = 4.4;
  of_one_input.noise_ratio = of_six.noise_ratio = 0.002;
  const ComputeOptions compute = with(4096 * mebibyte, Solver::cg);
  EXPECT_GT(plan_solves(of_one_input, compute).iterative.neighbours, 0);
  EXPECT_EQ(plan_solves(of_six, compute).iterative.neighbours, 0);
}

TEST(ExecutionPlan, ARefusalNamesTheSmallestBudgetThatWorks) {
  EXPECT_THAT(message_of([&] { plan_solves(shape(1'000'000), with(16 * mebibyte)); }),
              testing::HasSubstr("need at least"));
  EXPECT_THROW(plan_solves(shape(20'000), with(256 * mebibyte, Solver::cholesky)), InputError);
}

TEST(ExecutionPlan, WithAFixedRankMemoryGrowsLinearly) {
  auto total = [](Index n) {
    ComputeOptions compute = with(20'000 * mebibyte, Solver::cg);
    compute.rank = 300;
    return static_cast<double>(plan_solves(shape(n), compute).total());
  };
  // Fewer rows take fewer neighbours.
  EXPECT_LT(std::log(total(2'000'000) / total(500'000)) / std::log(4.0), 1.03);
}

TEST(ExecutionPlan, PrintsEachPurposeAndWhatItChose) {
  const ExecutionPlan plan = plan_solves(shape(50'000), with(4096 * mebibyte, Solver::cg));
  for (const std::string& part : {std::string("inputs and target"), std::string("never stored"),
                                  fmt::format("{} columns at a time", plan.iterative.columns),
                                  fmt::format("preconditioner of rank {}", plan.iterative.rank), bytes(plan.total()),
                                  std::string("iterations")}) {
    EXPECT_THAT(plan.to_string(), testing::HasSubstr(part));
  }
}

TEST(ExecutionPlan, WhatTrainingHoldsIsGivenBackBeforeTheRestIsTaken) {
  ExecutionPlan plan;
  plan.items = {{"inputs", 1}, {"training", 10, Phase::training}, {"matrix", 4, Phase::afterwards}};
  EXPECT_EQ(plan.total(), 11u);
  plan.items[2].bytes = 40;
  EXPECT_EQ(plan.total(), 41u);
}

TEST(ExecutionPlan, VariancesAreExactWhereThatIsAffordable) {
  using Kind = VarianceMethod::Kind;
  const auto kind = [](Index n, Index points, const ComputeOptions& compute) {
    return plan_variance({}, n, 3, points, compute).method.kind;
  };
  EXPECT_EQ(kind(exact_variance_rows, 1, with(1024 * mebibyte)), Kind::exact);
  EXPECT_EQ(kind(exact_variance_rows + 1, 1, with(1024 * mebibyte)), Kind::neighbours);
  EXPECT_EQ(kind(5'000, 8192, with(4096 * mebibyte)), Kind::exact);
  EXPECT_EQ(kind(5'000, 8192, with(128 * mebibyte)), Kind::neighbours);
  EXPECT_EQ(kind(10'000, 8192, with(4096 * mebibyte)), Kind::neighbours) << "cells share their factorisations";
  // What was asked for is taken, by the solver that fits.
  const VarianceMethod exact{.kind = Kind::exact};
  EXPECT_EQ(plan_variance(exact, 10'000, 3, 8192, with(512 * mebibyte)).solver, Solver::cg);
  EXPECT_EQ(plan_variance(exact, 10'000, 3, 8192, with(4096 * mebibyte)).solver, Solver::cholesky);
}

}  // namespace
}  // namespace gpcv
