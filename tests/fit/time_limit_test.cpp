/// The time limit of a whole fit, by a clock that the test moves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "core/deadline.hpp"
#include "core/random.hpp"
#include "evaluation/conditioning.hpp"
#include "fit/stopping.hpp"
#include "gpcv/error.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/posterior.hpp"
#include "solvers/preconditioner/fold_preconditioner.hpp"
#include "trainers/start/local_start.hpp"

namespace gpcv {
namespace {

using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

Dataset wave(Index n) {
  Dataset data;
  data.x = Vector::LinSpaced(n, 0, 10);
  Random random(3);
  data.y = data.x.col(0).array().sin();
  for (double& y : data.y) y += 0.1 * random.normal();
  data.columns.features = {"x"};
  data.columns.feature_indices = {0};
  return data;
}

/// A fit whose seconds pass only where the test says so.
struct TimedFit {
  explicit TimedFit(double limit) {
    options.kernel = Kernel::parse("se");
    deadline = std::make_shared<Deadline>(limit, nullptr, Deadline::Clock([this] { return now; }));
    options.train.deadline = deadline;
    options.train.compute.stop = [this] { return deadline->over(); };
  }
  FitResult run(const Dataset& data, const Observer& observer = {}) { return fit(data, options, observer); }

  double now = 0;
  FitOptions options;
  std::shared_ptr<Deadline> deadline;
};

/// Expects predictions that explain the data, by this part of the error of zero at most.
void expect_usable(const FitResult& result, const Dataset& data, double most = 0.5) {
  EXPECT_TRUE(result.model.weights.allFinite());
  EXPECT_LT((Posterior(result.model, {}).predict(data.x).mean - data.y).norm(), most * data.y.norm());
}

TEST(TimeLimit, EndsTrainingWhereTheReserveBegins) {
  const Dataset data = wave(150);
  TimedFit timed(100);
  const FitResult result = timed.run(data, [&](const IterationRecord&) {
    timed.now = 100 - timed.deadline->reserved() + 0.001;
    return true;
  });
  EXPECT_EQ(result.training.status, Status::time_limit);
  EXPECT_EQ(result.training.iterations, 1);
  EXPECT_THAT(result.model.provenance.message, HasSubstr("the time limit of 100 s was reached"));
  EXPECT_TRUE(std::isfinite(result.model.provenance.cv_rmse)) << "time was kept for the folds of a small table";
  EXPECT_FALSE(result.model.error_scale.is_identity());
  EXPECT_THAT(result.left_out, Contains("importance of the inputs"));
  expect_usable(result, data);
}

TEST(TimeLimit, ALateTrainingHasAModelAllTheSame) {
  const Dataset data = wave(150);
  for (const Solver solver : {Solver::cholesky, Solver::cg}) {
    TimedFit timed(100);
    timed.options.train.compute.solver = solver;
    const FitResult result = timed.run(data, [&](const IterationRecord&) {
      timed.now = 200;
      return true;
    });
    EXPECT_EQ(result.model.provenance.status, Status::time_limit);
    if (solver == Solver::cg) {
      EXPECT_THAT(result.left_out, Contains("validation"));
    }
    EXPECT_THAT(result.left_out, Contains("calibration"));
    expect_usable(result, data, 0.8);  // conjugate gradients had one iteration
  }
}

TEST(TimeLimit, AnUnfinishedConditioningIsSaid) {
  const Dataset data = wave(400);
  TimedFit timed(100);
  timed.options.train.compute.solver = Solver::cg;
  timed.options.train.compute.rank = 0;
  timed.options.noise = Noise::parse("1e-3:fixed");
  const FitResult result = timed.run(data, [&](const IterationRecord&) {
    timed.now = 200;
    return true;
  });
  EXPECT_THAT(result.left_out, Contains("conditioning to the final residual"));
  EXPECT_GT(result.weights_residual, 1e-6);
  EXPECT_LT(result.weights_residual, 1);
  EXPECT_THAT(result.model.provenance.message,
              ContainsRegex("weights of the predictions have a residual of [0-9.e-]+"));
}

TEST(TimeLimit, CutsTheChoiceOfAKernelShort) {
  const Dataset data = wave(150);
  TimedFit timed(100);
  timed.options.choose_kernel = true;
  timed.options.candidates = {"se", "matern52", "matern32"};
  timed.options.progress = [&](const std::string& text) {
    if (text.starts_with("choosing a kernel: round 1")) timed.now = 200;
  };
  const FitResult result = timed.run(data);
  EXPECT_EQ(result.model.provenance.status, Status::time_limit);
  EXPECT_THAT(result.model.provenance.message, HasSubstr("the choice of the kernel was cut short"));
  EXPECT_TRUE(result.model.weights.allFinite());
}

TEST(TimeLimit, LeavesOutTheOuterFolds) {
  const Dataset data = wave(100);
  TimedFit timed(100);
  timed.options.assess = Assess::nested;
  timed.options.progress = [&](const std::string& text) {
    if (text.starts_with("assessing the error: outer fold 2")) timed.now = 200;
  };
  const FitResult result = timed.run(data);
  EXPECT_EQ(result.training.status, Status::converged);
  EXPECT_THAT(result.left_out, ::testing::ElementsAre("outer folds"));
  EXPECT_EQ(result.model.provenance.status, Status::time_limit);
  EXPECT_THAT(result.model.provenance.message, HasSubstr("; the time limit was reached, without outer folds"));
  EXPECT_EQ(result.model.provenance.assessment, "inner");
}

TEST(TimeLimit, ThatAllowsNoModelIsRefusedWithOneThatDoes) {
  FitOptions options;
  options.kernel = Kernel::parse("se");
  options.train.time_limit = 0.01;
  const Dataset data = wave(200'000);
  try {
    fit(data, options);
    FAIL() << "nothing was refused";
  } catch (const InputError& error) {
    EXPECT_EQ(error.remedy(), Remedy::raise_time_limit);
    EXPECT_THAT(error.what(),
                ContainsRegex("a fit of 200000 rows takes at least about [0-9]+ s here, the time limit is 0.01 s"));
    const std::string text = error.what();
    const double named = std::stod(text.substr(text.find("about ") + 6));
    EXPECT_GE(named, 1);
  }
}

TEST(TimeLimit, KeepsAPartOfTheLimitAtMostAndTheLeastAtLeast) {
  FitOptions options;
  options.kernel = Kernel::parse("se");
  options.train.compute.solver = Solver::cg;
  const Stopping stopping(plan_fit(wave(30'000), options), Slowness{1, 20});
  const auto kept = [&](double limit) {
    Deadline deadline(limit, nullptr, Deadline::Clock([] { return 0.0; }));
    stopping.before_training(deadline);
    return deadline.reserved();
  };
  EXPECT_LT(kept(1e6), 1e5) << "no more than what follows takes";
  EXPECT_GE(kept(1), stopping.least());
  EXPECT_LE(kept(30), kept(300));
  EXPECT_EQ(kept(Deadline::never), 0);
}

TEST(StopQuestion, EndsTheConstructionOfAPreconditioner) {
  const Dataset data = wave(600);
  const Vector noise = Vector::Constant(600, 1e-4);
  const KernelProgram program = Kernel::parse("matern12(l=0.01)").bind(1).lower();
  int calls = 0, last = 0;
  for (int after = 0; after < 1000; ++after) {
    calls = 0;
    ComputeOptions compute;
    compute.stop = [&] { return ++calls > after; };
    const FoldSystem system = FoldSystem::whole(program, data.x, noise, compute);
    try {
      FoldPreconditioner(system, 200, 1, 1, 0, 10);
      last = after;
      break;
    } catch (const Interrupted&) {
      continue;
    }
  }
  EXPECT_GT(last, 5) << "it asks between blocks of columns, in the search of neighbours and by pieces of rows";
}

TEST(StopQuestion, LeavesAStartOfTheLocalSearch) {
  const Dataset data = wave(800);
  Problem problem{data.x, data.y, Kernel::parse("se(l=3)").bind(1), {.variance = 0.1}, Folds::random(800, 5, 1)};
  const Vector start = Vector::Zero(theta_names(problem.kernel, problem.noise).size());
  Vector far;
  for (const int after : {0, 3, 50, 1'000'000}) {
    TrainOptions options;
    int calls = 0;
    options.compute.stop = [&] { return ++calls > after; };
    const Vector found = local_start(problem, {start}, options);
    ASSERT_TRUE(found.allFinite());
    if (after == 0) {
      EXPECT_EQ(found, start);
    }
    far = found;
  }
  EXPECT_GT((far - start).norm(), 0.1);
}

}  // namespace
}  // namespace gpcv
