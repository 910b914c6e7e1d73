// Transforms of the target: what fit() trains, what the model predicts, and which transform is chosen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "assessment/conformal.hpp"
#include "core/random.hpp"
#include "fit/lambda_search.hpp"
#include "gpcv/assessment.hpp"
#include "gpcv/comparison.hpp"
#include "gpcv/diagnostics.hpp"
#include "gpcv/error.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/model_findings.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/prediction_table.hpp"
#include "gpcv/verdict.hpp"
#include "support/message_of.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;

/// y = T⁻¹(f(x) + noise of deviation s) for two uniform inputs.
Dataset drawn(Index n, double s, std::uint64_t seed, const char* transform) {
  const TargetTransform t = TargetTransform::parse(transform);
  Random random(seed);
  Dataset data{Matrix(n, 2), Vector(n), {}};
  for (double& v : data.x.reshaped()) v = random.uniform(-1, 1);
  for (Index i = 0; i < n; ++i) {
    data.y(i) = t.inverse(std::sin(3 * data.x(i, 0)) + data.x(i, 1) + s * random.normal());
  }
  data.columns.features = {"a", "b"};
  data.columns.feature_indices = {0, 1};
  data.columns.target = "price";
  data.columns.target_index = 2;
  data.columns.table_columns = 3;
  return data;
}

FitOptions with(const char* transform) {
  FitOptions options;
  options.kernel = Kernel::parse("se(ard)");
  options.transform = TransformOptions::parse(transform);
  options.train.restarts = 1;
  return options;
}

TEST(Transform, TrainsOnTheTransformedTarget) {
  const Dataset data = drawn(120, 0.3, 1, "log");
  Dataset logs = data;
  logs.y = TargetTransform::parse("log").forward(data.y);
  const FitResult a = fit(data, with("log")), b = fit(logs, with("none"));
  EXPECT_EQ(a.model.weights, b.model.weights);
  EXPECT_EQ(a.model.kernel.theta(), b.model.kernel.theta());
  EXPECT_EQ(a.model.error_scale.factor, b.model.error_scale.factor);
  const Matrix x = data.x.topRows(9);
  const Posterior pa(a.model, {}), pb(b.model, {});
  const Prediction y = pa.predict(x), log = pb.predict(x);
  EXPECT_EQ(y.transformed_mean, log.mean);
  for (const double z : {-2.0, 0.0, 0.7}) {
    EXPECT_LT((y.at(z) - Vector(log.at(z).array().exp())).norm(), 1e-12 * y.mean.norm()) << "quantiles are images";
  }
  EXPECT_TRUE((y.mean.array() > log.mean.array().exp()).all()) << "the mean exceeds the median";
  EXPECT_EQ(pa.predict(x, {.mean_only = true}).mean, y.mean);
  EXPECT_EQ(pa.predict(x, {.mean_only = true}).variance.size(), 0);
  EXPECT_LT((pa.sample(x, 3, 1) - Matrix(pb.sample(x, 3, 1).array().exp())).norm(), 1e-9);
  EXPECT_THAT(message_of([&] { pa.covariance(x); }), HasSubstr("joint draws"));
  EXPECT_LT((training_targets(a.model) - data.y).norm(), 1e-12 * data.y.norm());
}

TEST(Transform, MeansAreThoseOfDraws) {
  const Dataset data = drawn(100, 0.5, 2, "log");
  const FitResult result = fit(data, with("log"));
  Model model = result.model;
  model.error_scale.degrees = model.error_scale.observed_degrees = std::numeric_limits<double>::infinity();
  const Posterior posterior(model, {});
  const Matrix x = data.x.topRows(3);
  const Prediction p = posterior.predict(x);
  const Matrix draws = posterior.sample(x, 40000, 3);
  for (Index i = 0; i < 3; ++i) {
    EXPECT_NEAR(draws.row(i).mean() / p.mean(i), 1, 0.02);
    EXPECT_NEAR((draws.row(i).array() - p.mean(i)).square().mean() / p.variance(i), 1, 0.15);
  }
}

TEST(Transform, ErrorsAreInUnitsOfTheTarget) {
  const Dataset data = drawn(150, 0.4, 3, "log");
  const FitResult result = fit(data, with("log"));
  const Model& model = result.model;
  const Prediction held = held_out_prediction(model);
  EXPECT_NEAR(model.provenance.cv_rmse, std::sqrt((data.y - held.mean).squaredNorm() / 150), 1e-9);
  EXPECT_EQ(model.provenance.inner_rmse, model.provenance.cv_rmse);
  const HeldOutRows rows = held_out_rows(model);
  const Metrics m = evaluate(rows.prediction, rows.y);
  EXPECT_NEAR(m.rmse, model.provenance.cv_rmse, 1e-9);
  EXPECT_NEAR(m.coverage95, 0.95, 0.05);
  // The density of y is that of log y over y.
  Vector logs = data.y.array().log();
  const Metrics of_logs =
      evaluate({rows.prediction.transformed_mean, rows.prediction.transformed_variance, rows.prediction.degrees}, logs);
  EXPECT_NEAR(m.nlpd, of_logs.nlpd + logs.mean(), 1e-9);
  EXPECT_EQ(m.coverage80, of_logs.coverage80);
  const Assessment a = assess_held_out(model);
  EXPECT_NEAR(a.metrics.crps, m.crps, 1e-12);
  EXPECT_NEAR(a.z(4), (logs(4) - held.transformed_mean(4)) / std::sqrt(held.transformed_variance(4)), 1e-9);
  EXPECT_TRUE(findings_about(model).empty());
}

TEST(Transform, PredictionsStayWithinBounds) {
  const Dataset data = drawn(120, 1.5, 4, "logit:0:100");
  FitOptions options = with("logit:0:100");
  options.calibration = 0.3;
  const FitResult result = fit(data, options);
  const Posterior posterior(result.model, {});
  RowBatch rows;
  rows.x = 3 * data.x;
  for (const bool conformal : {false, true}) {
    PredictionColumns columns;
    columns.quantiles = {0.001, 0.999};
    columns.conformal = conformal;
    columns.components = !conformal;
    const PredictionTable table(result.model, posterior, columns);
    const Matrix values = table.predict(rows);
    EXPECT_GT(values.leftCols(6).minCoeff(), 0) << "mean, std, lower, upper and quantiles";
    EXPECT_LT(values.leftCols(6).maxCoeff(), 100);
    EXPECT_TRUE((values.col(2).array() < values.col(0).array()).all());
    if (!conformal) {
      EXPECT_EQ(table.names()[6], "logit.offset");
    }
  }
}

TEST(Transform, ConformalIntervalsAreImages) {
  const Dataset data = drawn(150, 0.4, 5, "log");
  Dataset logs = data;
  logs.y = TargetTransform::parse("log").forward(data.y);
  FitOptions of_data = with("log"), of_logs = with("none");
  of_data.calibration = of_logs.calibration = 0.3;
  EXPECT_EQ(fit(data, of_data).model.conformal.scores, fit(logs, of_logs).model.conformal.scores);
}

TEST(Transform, ComponentsAndNoiseBelongToTheTransformedTarget) {
  const Dataset data = drawn(100, 0.3, 6, "log");
  FitOptions options = with("log");
  options.kernel = Kernel::parse("se(ard) + linear(ard)");
  const FitResult result = fit(data, options);
  const Posterior posterior(result.model, {});
  const Matrix x = data.x.topRows(5);
  Vector sum = Vector::Constant(5, result.model.scaling.y_mean);
  for (const Component& c : posterior.components(x, true)) sum += c.prediction.mean;
  EXPECT_LT((sum - posterior.predict(x).transformed_mean).norm(), 1e-9);
  EXPECT_NEAR(noise_std(result.model), 0.3, 0.1);
  const Diagnostics seen = diagnostics_of(result.model, {});
  const std::vector<ParameterRow> parameters = parameter_table(result.model, seen);
  EXPECT_EQ(parameters.back().unit, "log(price)");
  EXPECT_GT(seen.effects[0].rows.at(-1.96).minCoeff(), 0);
}

TEST(Transform, NamesTheRowsThatItCannotTake) {
  Dataset data = drawn(60, 0.3, 7, "log");
  data.y(4) = 0;
  data.y(17) = -2.5;
  const auto refusal = [&](const char* text) { return message_of([&] { fit(data, with(text)); }); };
  EXPECT_THAT(refusal("log"), HasSubstr("values above 0; 'price' has 2 others in rows 5 (0), 18 (-2.5)"));
  EXPECT_THAT(refusal("log:1"), HasSubstr("values above -1; 'price' has 1 other in row 18 (-2.5), counted"));
  EXPECT_THAT(refusal("sqrt"), HasSubstr("from 0 on; 'price' has 1 other in row 18"));
  EXPECT_THAT(refusal("logit"), HasSubstr("between 0 and 1"));
  Dataset positive = drawn(60, 0.3, 7, "log");
  try {
    fit(positive, with("log:-1"));
    FAIL() << "targets below 1";
  } catch (const InputError& error) {
    EXPECT_EQ(error.facts()[0], "log");
  }
  try {
    fit(data, with("log"));
  } catch (const InputError& error) {
    EXPECT_EQ(error.remedy(), Remedy::change_transform);
    ASSERT_EQ(error.facts().size(), 2u);
    EXPECT_EQ(message_of([&] { fit(data, with(error.facts()[0].c_str())); }), "") << error.facts()[0];
    EXPECT_EQ(error.facts()[1], "yeo-johnson");
  }
  const std::vector<Finding> findings = diagnose_fit(data, with("log"));
  EXPECT_FALSE(would_train(findings));
  EXPECT_TRUE(would_train(diagnose_fit(data, with("yeo-johnson"))));
}

TEST(Transform, IsWhatADiagnosisExamines) {
  const Dataset data = drawn(300, 2, 20, "log");
  const auto codes = [&](const char* transform) {
    std::vector<std::string> out;
    const TargetTransform t = TargetTransform::parse(transform);
    for (const Finding& finding : diagnose(data, {.transform = t})) out.push_back(finding.code);
    return out;
  };
  EXPECT_THAT(codes("none"), ::testing::Contains("long-tail"));
  EXPECT_THAT(codes("log"), ::testing::Not(::testing::Contains("long-tail")));
}

TEST(Transform, RefusesWhatHasNoMeaning) {
  Dataset data = drawn(60, 0.3, 8, "log");
  FitOptions automatic = with("auto");
  automatic.train.trainer = "likelihood";
  EXPECT_EQ(remedy_of([&] { fit(data, automatic); }), Remedy::change_transform);
  FitOptions of_logs = with("log"), plain = with("none");
  of_logs.warm = std::make_shared<Model>(fit(data, plain).model);
  EXPECT_THAT(message_of([&] { fit(data, of_logs); }), HasSubstr("one of price, this training one of log(price)"));
  data.noise = Vector::Constant(60, 0.1);
  EXPECT_EQ(remedy_of([&] { fit(data, with("log")); }), Remedy::omit_option);
  data.columns.noise_is_weight = true;
  EXPECT_EQ(fit(data, with("log")).model.transform.to_string(), "log") << "weights are ratios";
}

TEST(Transform, AnEarlierModelDecidesTheTransform) {
  const Dataset data = drawn(80, 0.3, 9, "log");
  FitOptions again = with("auto");
  again.warm = std::make_shared<Model>(fit(data, with("log")).model);
  EXPECT_EQ(fit(data, again).model.transform.to_string(), "log");
}

TEST(Transform, EveryTrainerTakesOne) {
  const Dataset data = drawn(50, 0.3, 10, "log");
  for (const std::string& trainer : trainer_names()) {
    FitOptions options = with("log");
    options.train.trainer = trainer;
    options.train.max_iterations = 5;
    const FitResult result = fit(data, options);
    EXPECT_LT(result.model.provenance.cv_rmse, 2 * target_deviation(result.model)) << trainer;
    EXPECT_GT(Posterior(result.model, {}).predict(data.x).at(-2).minCoeff(), 0) << trainer;
  }
}

TEST(Transform, IterativeSolvesAgree) {
  const Dataset data = drawn(150, 0.4, 11, "log");
  FitOptions options = with("log");
  const FitResult dense = fit(data, options);
  options.train.compute.solver = Solver::cg;
  const FitResult iterative = fit(data, options);
  EXPECT_NEAR(iterative.model.provenance.cv_rmse / dense.model.provenance.cv_rmse, 1, 0.01);
}

TEST(TransformLambda, IsFoundFromHeldOutErrors) {
  const Dataset data = drawn(300, 0.4, 12, "yeo-johnson:0.4:10:2");
  const FitResult result = fit(data, with("yeo-johnson"));
  const TargetTransform& found = result.model.transform;
  EXPECT_EQ(found.kind, TargetTransform::Kind::yeo_johnson);
  EXPECT_NEAR(((data.y.array() < found.centre).cast<double>()).mean(), 0.5, 0.01) << "the median";
  EXPECT_LT(found.lambda, 0.8) << "skewed to the right";
  EXPECT_LT(evaluate(held_out_rows(result.model).prediction, held_out_rows(result.model).y).nlpd,
            evaluate(held_out_rows(fit(data, with("none")).model).prediction, data.y).nlpd);
  const FitResult given = fit(data, with("yeo-johnson:0.5"));
  EXPECT_EQ(given.model.transform.lambda, 0.5);
  EXPECT_EQ(given.model.transform.centre, found.centre);
}

TEST(TransformLambda, TheMarginalOneMakesATargetNormal) {
  Random random(1);
  const TargetTransform t = TargetTransform::parse("yeo-johnson:0.3");
  Vector y(4000);
  for (double& v : y) v = t.inverse(random.normal());
  EXPECT_NEAR(with_marginal_lambda(TargetTransform::parse("yeo-johnson:1"), y).lambda, 0.3, 0.06);
}

FitOptions automatic() {
  FitOptions options = with("auto");
  options.train.max_iterations = 20;
  return options;
}

TEST(TransformChoice, IsNoneForNormalErrorsAndLogForThoseOfALogarithm) {
  const FitResult normal = fit(drawn(200, 0.3, 13, "none"), automatic());
  EXPECT_TRUE(normal.model.transform.is_none());
  ASSERT_EQ(normal.model.provenance.transforms.size(), 2u) << "none and yeo-johnson";
  const FitResult log = fit(drawn(200, 0.5, 14, "log"), automatic());
  EXPECT_EQ(log.model.transform.to_string(), "log");
  ASSERT_EQ(log.model.provenance.transforms.size(), 4u);
  EXPECT_TRUE(log.model.provenance.transforms.front().chosen);
  EXPECT_GT(log.model.provenance.transforms.back().behind, 0);
  const FitResult share = fit(drawn(200, 0.8, 15, "logit"), automatic());
  EXPECT_EQ(share.model.transform.to_string(), "logit");
}

TEST(TransformChoice, HoldsTheRowsThatAreSetAside) {
  FitOptions options = automatic();
  options.calibration = 0.3;
  Dataset data = drawn(80, 0.5, 14, "log");
  const std::vector<Index> aside = [&] {
    const SetAside parts = set_aside(data, {}, options.calibration, options.train.seed);
    std::vector<Index> rows;
    for (Index i = 0; i < data.rows(); ++i) {
      if (!std::binary_search(parts.rows.begin(), parts.rows.end(), i)) rows.push_back(i);
    }
    return rows;
  }();
  data.y(aside.front()) = 0;
  const Model model = fit(data, options).model;
  EXPECT_NE(model.transform.kind, TargetTransform::Kind::log);
  EXPECT_TRUE(model.conformal.scores.allFinite());
}

TEST(TransformChoice, IsTheSameForTheSameSeed) {
  const Dataset data = drawn(120, 0.5, 16, "log");
  const FitResult a = fit(data, automatic()), b = fit(data, automatic());
  EXPECT_EQ(a.model.weights, b.model.weights);
  for (std::size_t i = 0; i < a.model.provenance.transforms.size(); ++i) {
    EXPECT_EQ(a.model.provenance.transforms[i].loss, b.model.provenance.transforms[i].loss);
  }
}

TEST(TransformChoice, IsRepeatedInOuterFolds) {
  const Dataset data = drawn(150, 0.5, 17, "log");
  FitOptions options = automatic();
  options.assess = Assess::nested;
  const FitResult nested = fit(data, options);
  EXPECT_EQ(nested.model.provenance.assessment, "nested");
  EXPECT_EQ(nested.model.transform.to_string(), "log");
  EXPECT_NE(nested.model.provenance.cv_rmse, nested.model.provenance.inner_rmse);
  const HeldOutRows rows = held_out_rows(nested.model);
  ASSERT_EQ(rows.rows.size(), 150u);
  // New rows have the error and the coverage that the outer folds state.
  const Dataset fresh = drawn(2000, 0.5, 18, "log");
  const Metrics stated = evaluate(rows.prediction, rows.y);
  const Metrics seen = evaluate(Posterior(nested.model, {}).predict(fresh.x), fresh.y);
  EXPECT_NEAR(stated.crps / seen.crps, 1, 0.25);
  EXPECT_NEAR(seen.coverage95, 0.95, 0.04);
}

TEST(TransformChoice, ComparesKernelsInUnitsOfTheTarget) {
  const Dataset data = drawn(100, 0.4, 19, "log");
  std::vector<Contender> contenders;
  for (const char* kernel : {"se(ard)", "linear(ard)"}) {
    FitOptions options = with("log");
    options.kernel = Kernel::parse(kernel);
    options.every_held_out_variance = true;
    contenders.push_back({kernel, fit(data, options), ""});
  }
  const Comparison comparison = compare(std::move(contenders), Criterion::crps);
  const Ranked& best = comparison.ranked.front();
  EXPECT_EQ(best.contender.kernel, "se(ard)");
  const HeldOutRows rows = held_out_rows(best.contender.result.model);
  EXPECT_NEAR(best.loss, evaluate(rows.prediction, rows.y).crps, 1e-12);
}

}  // namespace
}  // namespace gpcv
