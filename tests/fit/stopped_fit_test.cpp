/// What a fit leaves that is stopped at one moment or another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/random.hpp"
#include "fit/stopping.hpp"
#include "fit/validation.hpp"
#include "gpcv/error.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv {
namespace {

using ::testing::ElementsAre;
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

FitOptions with_se() {
  FitOptions options;
  options.kernel = Kernel::parse("se");
  return options;
}

TEST(AStoppedFit, IsGivenUpWhenTheCallerSaysSo) {
  FitOptions options;
  options.kernel = Kernel::parse("se");
  options.abandon = [] { return true; };
  EXPECT_THROW(fit(wave(60), options, [](const IterationRecord&) { return false; }), Interrupted);
  options.abandon = [] { return false; };
  EXPECT_EQ(fit(wave(60), options, [](const IterationRecord&) { return false; }).model.provenance.status,
            Status::stopped);
}

/// A stop between training and validation leaves a model that predicts.
TEST(AStoppedFit, KeepsTheModelWhenTheFoldsWereNotYetEvaluated) {
  FitOptions options = with_se();
  options.train.trainer = "likelihood";
  options.train.restarts = 1;
  double during_training = 0;
  bool trained = false;
  options.stoppable = [&](double seconds) {
    EXPECT_GT(seconds, 0);
    if (during_training == 0) during_training = seconds;
    trained = seconds < during_training;  // what remains is less once training has ended
  };
  options.train.compute.stop = [&] { return trained; };
  const FitResult result = fit(wave(80), options);
  EXPECT_EQ(result.training.status, Status::converged);
  EXPECT_THAT(result.left_out, ElementsAre("validation", "calibration"));
  EXPECT_EQ(result.model.provenance.status, Status::stopped);
  EXPECT_THAT(result.model.provenance.message, HasSubstr("; stopped on request, without validation, calibration"));
  EXPECT_TRUE(std::isnan(result.model.provenance.cv_rmse));
  const Dataset data = wave(80);
  EXPECT_LT((Posterior(result.model, {}).predict(data.x).mean - data.y).norm(), 0.2 * data.y.norm());
}

/// Where validation is left out, the errors of the training serve, and variances are calibrated by them.
TEST(AStoppedFit, IsCalibratedByTheErrorsOfItsTraining) {
  for (const Solver solver : {Solver::cholesky, Solver::cg}) {
    FitOptions options = with_se();
    options.train.compute.solver = solver;
    options.train.start = Start::values;
    FitPlan plan = plan_fit(wave(300), options);
    bool asked = false;
    plan.train.compute.stop = [&] { return asked; };
    TrainResult training = train(plan.problem, plan.train, [&](const IterationRecord& record) {
      asked = record.iteration >= 1;
      return !asked;
    });
    ASSERT_EQ(training.status, Status::stopped);
    plan.problem.kernel = training.kernel;
    plan.problem.noise.variance = training.noise;
    Model anew, model;
    const double verified = (validate(plan, training, anew), anew.provenance.cv_rmse);
    training.evaluator.reset();
    Validation validation = validate(plan, training, model, false);
    EXPECT_TRUE(validation.left_out);
    EXPECT_NEAR(model.provenance.cv_rmse, verified, 0.01 * verified);
    EXPECT_TRUE(calibrate(model, plan, std::move(validation), false));
    EXPECT_FALSE(model.error_scale.is_identity());
    EXPECT_EQ(model.provenance.held_out.mean.size(), 300);
  }
}

TEST(AStoppedFit, HasNoModelBeforeTheFirstError) {
  FitOptions options = with_se();
  options.train.compute.stop = [] { return true; };
  EXPECT_THROW(fit(wave(80), options), Interrupted);
}

TEST(AStoppedFit, LeavesOutTheOuterFolds) {
  FitOptions options = with_se();
  options.assess = Assess::nested;
  bool stop = false;
  options.train.compute.stop = [&] { return stop; };
  options.progress = [&](const std::string& text) { stop = stop || text.starts_with("assessing the error: outer"); };
  const FitResult result = fit(wave(80), options);
  EXPECT_THAT(result.left_out, ElementsAre("outer folds"));
  EXPECT_EQ(result.model.provenance.assessment, "inner");
  EXPECT_TRUE(std::isfinite(result.model.provenance.cv_rmse));
}

TEST(Stopping, ALongValidationIsLeftOut) {
  FitOptions options = with_se();
  options.train.compute.solver = Solver::cg;
  const Stopping small(plan_fit(wave(200), options), Slowness{}), large(plan_fit(wave(30'000), options), Slowness{});
  EXPECT_TRUE(small.validates());
  EXPECT_FALSE(large.validates());
  EXPECT_LT(small.seconds_of_training(), large.seconds_of_training());
  EXPECT_GE(large.seconds_of_training(), large.seconds_afterwards());
}

}  // namespace
}  // namespace gpcv
