/// Trainings most of whose steps evaluate a sample of the folds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "support/gauss_newton_runs.hpp"
#include "trainers/common/training_state.hpp"

namespace gpcv {
namespace {

constexpr Index rows = 600;

/// Iterative training whose samples have one of the five folds.
TrainOptions sampled(Criterion criterion = Criterion::squared) {
  TrainOptions options = exact(Solver::cg);
  options.prior = 0;
  options.scan_periods = false;
  options.gauss_newton.criterion = criterion;
  options.gauss_newton.sample_rows = rows / 5;
  options.gauss_newton.nested_tolerance = 1e-8;
  return options;
}

TrainOptions with_all_folds(TrainOptions options) {
  options.gauss_newton.sample_rows = 0;
  return options;
}

/// Begins in the basin of the optimum: far from it, rounding decides whether steps end with next to no noise. The data
/// hardly determine the noise, so that ends with almost equal errors may differ much in θ.
Problem surface(std::uint64_t seed = 11) { return folded("se(l=0.8, s2=1)", "0.1", rows, seed); }

TEST(SampledFolds, TheEndIsStationaryForAllFolds) {
  const Problem problem = surface();
  const TrainResult result = train(problem, sampled());
  EXPECT_EQ(result.status, Status::converged) << result.message;
  const Vector u = log_theta(problem, result);
  // The curvature is that of a fifth of the rows.
  EXPECT_LT(relative_slope(problem, u, 0).cwiseAbs().maxCoeff(), 1e-2);
  const double mean = squared_error(determined(problem), u) / static_cast<double>(problem.folds.validated());
  EXPECT_NEAR(result.objective, mean, 1e-5 * mean) << "the error is that of all folds";
  EXPECT_EQ(result.cv_residuals.size(), rows);
  EXPECT_TRUE(result.cv_residuals.allFinite());
}

TEST(SampledFolds, TheErrorIsThatOfStepsWithAllFolds) {
  for (const Criterion criterion : {Criterion::squared, Criterion::crps, Criterion::log}) {
    for (std::uint64_t seed = 8; seed <= 11; ++seed) {
      const Problem problem = surface(seed);
      const TrainResult some = train(problem, sampled(criterion)),
                        all = train(problem, with_all_folds(sampled(criterion)));
      EXPECT_EQ(some.status, Status::converged) << name_of(criterion) << ": " << some.message;
      EXPECT_NEAR(some.objective / all.objective, 1, 3e-3) << name_of(criterion) << ", seed " << seed;
      EXPECT_EQ(some.standard_errors.size(), all.standard_errors.size());
    }
  }
}

TEST(SampledFolds, TakeFewerColumns) {
  // Usual tolerances: where steps go on to 1e-10, those with a known curvature are many.
  TrainOptions options = sampled();
  options.gauss_newton.tolerance = 1e-4;
  options.gauss_newton.nested_tolerance = 1e-3;
  options.gauss_newton.sensitivity_residual = 0.03;
  const Problem problem = surface();
  const double some = train(problem, options).work.column_passes,
               all = train(problem, with_all_folds(options)).work.column_passes;
  EXPECT_LT(some, 0.7 * all);
}

TEST(SampledFolds, GoOnFromEveryCheckpoint) {
  for (const Criterion criterion : {Criterion::squared, Criterion::crps}) {
    const Problem problem = surface();
    TrainOptions options = sampled(criterion);
    std::vector<TrainingState> states;
    options.checkpoint = [&](const TrainingState& state) { states.push_back(state); };
    const TrainResult whole = train(problem, options);
    options.checkpoint = {};
    int with_curvature = 0;
    for (const TrainingState& state : states) {
      const auto& own = state.of<GaussNewtonState>();
      EXPECT_EQ(own.sampled_folds, 1);
      if (own.runs.front().curvature.size() > 0) ++with_curvature;
      options.resume = std::make_shared<TrainingState>(state);
      const TrainResult resumed = train(problem, options);
      EXPECT_EQ(resumed.status, whole.status) << resumed.message;
      // Rounding decides where in a flat valley a run ends, but not how low.
      EXPECT_NEAR(resumed.objective / whole.objective, 1, 2e-3) << name_of(criterion);
      EXPECT_EQ(resumed.standard_errors.size(), whole.standard_errors.size());
    }
    EXPECT_GT(with_curvature, 0);
    EXPECT_LT(with_curvature, static_cast<int>(states.size()));
  }
}

TEST(SampledFolds, AStopAtAnyTimeLeavesAUsableResult) {
  const Problem problem = surface();
  for (const Criterion criterion : {Criterion::squared, Criterion::crps}) {
    TrainOptions options = sampled(criterion);
    options.gauss_newton.tolerance = 1e-4;
    for (int most = 1;; ++most) {
      int calls = 0;
      const TrainResult result = train(problem, options, [&](const IterationRecord&) { return ++calls < most; });
      expect_usable(result, problem);
      if (result.status != Status::stopped) break;
      EXPECT_TRUE(std::isfinite(result.objective));
      ASSERT_LT(most, 100);
    }
  }
}

TEST(SampledFolds, TheSameSeedGivesTheSameBits) {
  const Problem problem = surface();
  const TrainResult one = train(problem, sampled(Criterion::crps)), two = train(problem, sampled(Criterion::crps));
  EXPECT_EQ(log_theta(problem, one), log_theta(problem, two));
  EXPECT_EQ(one.objective, two.objective);
}

}  // namespace
}  // namespace gpcv
