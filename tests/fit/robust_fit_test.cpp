// Robust training: rows that contradict the model lose their weight, and nothing else changes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "core/random.hpp"
#include "fit/row_screening.hpp"
#include "gpcv/comparison.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/model_findings.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/report.hpp"
#include "model/design.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;

constexpr double deviation = 0.2;

double function(ConstVectorView x) { return std::sin(4 * x(0)) + std::cos(3 * x(1)) + x(0) * x(1); }

/// Targets of a smooth function of two inputs with normal noise.
Dataset drawn(Index n, std::uint64_t seed) {
  Random random(seed);
  Dataset data{Matrix(n, 2), Vector(n), {}};
  for (double& v : data.x.reshaped()) v = random.uniform(-1, 1);
  for (Index i = 0; i < n; ++i) data.y(i) = function(data.x.row(i).transpose()) + deviation * random.normal();
  data.columns.features = {"a", "b"};
  data.columns.feature_indices = {0, 1};
  data.columns.target = "y";
  data.columns.target_index = 2;
  data.columns.table_columns = 3;
  return data;
}

/// The data with every `each`-th target moved by this many deviations, up and down in turn.
Dataset disturbed(Dataset data, Index each, double size) {
  for (Index i = 0; i < data.rows(); i += each) data.y(i) += (i / each % 2 == 0 ? size : -size) * deviation;
  return data;
}

FitOptions robust() {
  FitOptions options;
  options.kernel = Kernel::parse("se(ard)");
  options.train.restarts = 1;
  options.train.compute.threads = 1;
  options.robust = true;
  return options;
}

FitOptions plain() {
  FitOptions options = robust();
  options.robust = false;
  return options;
}

double error_of(const Model& model) {
  const Dataset fresh = drawn(500, 12345);
  Vector truth(fresh.rows());
  for (Index i = 0; i < fresh.rows(); ++i) truth(i) = function(fresh.x.row(i).transpose());
  const Vector mean = Posterior(model, {}).predict(fresh.x, {.mean_only = true}).mean;
  return std::sqrt((mean - truth).squaredNorm() / static_cast<double>(truth.size()));
}

TEST(RobustFit, GrossErrorsDoNotMovePredictions) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Dataset clean = drawn(200, seed), data = disturbed(clean, 20, 20);
    const FitResult found = fit(data, robust());
    const double without = error_of(fit(clean, plain()).model);
    EXPECT_LT(error_of(found.model), 1.15 * without) << seed;
    EXPECT_NEAR(noise_std(found.model), deviation, 0.3 * deviation) << seed;
    const RowTrust& trust = found.model.provenance.trust;
    for (Index i = 0; i < data.rows(); i += 20) EXPECT_TRUE(trust.distrusts(i)) << seed << " row " << i;
    EXPECT_LE(trust.distrusted.size(), 12U) << seed;
    EXPECT_LT(found.model.provenance.cv_rmse, 1.5 * deviation) << "the error of the rows that are trusted";
    const HeldOutRows held = held_out_rows(found.model);
    EXPECT_EQ(held.rows.size() + trust.distrusted.size(), 200U);
    EXPECT_GT(evaluate(held.prediction, held.y).coverage95, 0.9) << seed;
    EXPECT_EQ(held_out_rows(found.model, true).rows.size(), 200U) << "no prediction is hidden";
  }
}

TEST(RobustFit, WithoutOutliersItIsThePlainTraining) {
  const Dataset data = drawn(150, 4);
  ASSERT_EQ(screened_weights(data, 1).size(), 0);
  const Model a = fit(data, robust()).model, b = fit(data, plain()).model;
  EXPECT_EQ(a.kernel.theta(), b.kernel.theta());
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.error_scale.factor, b.error_scale.factor);
  EXPECT_EQ(a.provenance.cv_rmse, b.provenance.cv_rmse);
  EXPECT_TRUE(a.provenance.trust.distrusted.empty());
  EXPECT_EQ(a.provenance.trust.weights, Vector::Ones(150));
  EXPECT_EQ(a.noise_reference, 0) << "no column of weights";
  EXPECT_EQ(b.provenance.trust.weights.size(), 0);
}

TEST(RobustFit, OneErrorOfAThousandDeviations) {
  Dataset clean = drawn(120, 5), data = clean;
  data.y(40) += 1000 * deviation;
  const Vector first = screened_weights(data, 1);
  ASSERT_EQ(first.size(), 120);
  EXPECT_LT(first(40), 1e-3);
  Dataset weighed = data;
  weighed.trust = first;
  EXPECT_NEAR(trusted_scaling(weighed).y_scale, Standardization::fit(clean.x, clean.y).y_scale, 0.05);
  const FitResult found = fit(data, robust());
  EXPECT_LT(error_of(found.model), 1.15 * error_of(fit(clean, plain()).model));
  ASSERT_FALSE(found.findings.empty());
  EXPECT_EQ(found.findings.front().code, "distrusted_rows");
  EXPECT_THAT(found.findings.front().text, HasSubstr("1 of 120 rows contradicts the model and has little weight"));
  EXPECT_THAT(found.findings.front().text, HasSubstr("row 41 by "));
}

TEST(RobustFit, NamesRowsOfTheTableWithTheirIdentifiers) {
  Dataset data = disturbed(drawn(120, 6), 60, 30);
  data.reading.dropped = {0, 1};
  for (Index i = 0; i < data.rows(); ++i) data.ids.push_back("p" + std::to_string(i));
  const FitResult found = fit(data, robust());
  const std::vector<DistrustedRow>& rows = found.model.provenance.trust.distrusted;
  ASSERT_GE(rows.size(), 2U);
  EXPECT_GE(std::abs(rows[0].deviations), std::abs(rows[1].deviations)) << "the worst first";
  EXPECT_EQ(rows[0].table_row, rows[0].row + 2);
  EXPECT_THAT(found.findings.front().text, HasSubstr("row 63 (p60) by "));
}

TEST(RobustFit, AFileKeepsAll) {
  const FitResult found = fit(disturbed(drawn(100, 7), 25, 15), robust());
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "robust.h5";
  save(found.model, path);
  const Model loaded = load_model(path);
  std::filesystem::remove(path);
  const Matrix x = drawn(9, 8).x;
  const Prediction before = Posterior(found.model, {}).predict(x), after = Posterior(loaded, {}).predict(x);
  EXPECT_EQ(before.mean, after.mean);
  EXPECT_EQ(before.variance, after.variance);
  const RowTrust &a = found.model.provenance.trust, &b = loaded.provenance.trust;
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.share, b.share);
  EXPECT_EQ(a.degrees, b.degrees);
  EXPECT_EQ(a.alone, b.alone);
  ASSERT_EQ(a.distrusted.size(), b.distrusted.size());
  EXPECT_EQ(a.distrusted.front().row, b.distrusted.front().row);
  EXPECT_EQ(findings_about(found.model).front().text, findings_about(loaded).front().text);
}

TEST(RobustFit, GivenWeightsAreMultiplied) {
  Dataset clean = drawn(160, 9), data = disturbed(clean, 20, 25);
  for (Dataset* d : {&clean, &data}) {
    d->noise = Vector::Ones(160);
    for (Index i = 0; i < 160; i += 2) d->noise(i) = 2;
    d->columns.noise_is_weight = true;
  }
  const FitResult found = fit(data, robust());
  const Model& model = found.model;
  EXPECT_TRUE(has_given_noise(model));
  EXPECT_EQ(model.noise_reference, fit(clean, plain()).model.noise_reference) << "of the given weights alone";
  const Vector expected =
      model.noise_reference * data.noise.cwiseInverse().cwiseProduct(model.provenance.trust.weights.cwiseSqrt());
  EXPECT_LT((model.x.col(2) - expected).norm(), 1e-12);
  EXPECT_TRUE(model.provenance.trust.distrusts(40));
  EXPECT_LT(error_of(model), 1.25 * error_of(fit(clean, plain()).model));
}

TEST(RobustFit, KnownNoiseStaysKnown) {
  Dataset data = disturbed(drawn(120, 10), 30, 25);
  data.noise = Vector::Constant(120, deviation);
  const Model model = fit(data, robust()).model;
  EXPECT_NEAR(std::sqrt(model.noise) * model.scaling.y_scale, deviation, 1e-12);
  EXPECT_NEAR(model.noise_reference, deviation, 1e-12);
  EXPECT_TRUE(model.provenance.trust.distrusts(30));
}

TEST(RobustFit, EveryTrainer) {
  const Dataset clean = drawn(90, 11), data = disturbed(clean, 18, 25);
  for (const char* trainer : {"gauss-newton", "likelihood", "admm", "naive", "consensus"}) {
    FitOptions options = robust();
    options.train.trainer = trainer;
    options.kernel = Kernel::parse("se");
    const FitResult found = fit(data, options);
    for (Index i = 0; i < 90; i += 18) EXPECT_TRUE(found.model.provenance.trust.distrusts(i)) << trainer << i;
    options.robust = false;
    EXPECT_LT(error_of(found.model), 1.5 * error_of(fit(clean, options).model)) << trainer;
  }
}

TEST(RobustFit, FoldsThatLeaveRowsOut) {
  Dataset data = disturbed(drawn(120, 12), 24, 25);
  data.time = Vector::LinSpaced(120, 0, 1);
  FitOptions options = robust();
  options.folds = FoldOptions{.kind = FoldOptions::Kind::time, .blocks = 4};
  const RowTrust trust = fit(data, options).model.provenance.trust;
  for (Index i = 0; i < 120; i += 24) EXPECT_TRUE(trust.distrusts(i)) << i;
}

TEST(RobustFit, ChoicesAndOuterFoldsAreRobustToo) {
  const Dataset clean = drawn(100, 13), data = disturbed(clean, 20, 25);
  FitOptions options = robust();
  options.choose_kernel = true;
  options.candidates = {"se", "matern52"};
  options.assess = Assess::nested;
  const FitResult found = fit(data, options);
  EXPECT_EQ(found.model.provenance.assessment, "nested");
  EXPECT_LT(found.model.provenance.cv_rmse, 2 * deviation);
  const HeldOutRows held = held_out_rows(found.model);
  EXPECT_GT(evaluate(held.prediction, held.y).coverage95, 0.88);
  EXPECT_LT(error_of(found.model), 0.75 * deviation);
}

TEST(RobustFit, TransformsAreChosenWithoutTheOutliers) {
  Dataset data = drawn(120, 14);
  data.y = (1 + data.y.array()).exp();
  for (Index i = 0; i < 120; i += 24) data.y(i) *= i % 48 == 0 ? 200 : 0.005;
  FitOptions options = robust();
  options.transform = TransformOptions::parse("auto");
  const Model model = fit(data, options).model;
  EXPECT_EQ(model.transform.to_string(), "log");
  for (Index i = 0; i < 120; i += 24) EXPECT_TRUE(model.provenance.trust.distrusts(i)) << i;
}

TEST(RobustFit, ModelsAreComparedByCommonRows) {
  const Dataset data = disturbed(drawn(100, 15), 20, 25);
  std::vector<Contender> contenders;
  for (const char* kernel : {"se", "matern32"}) {
    FitOptions options = robust();
    options.kernel = Kernel::parse(kernel);
    contenders.push_back({kernel, fit(data, options), ""});
  }
  const Comparison comparison = compare(std::move(contenders), Criterion::crps);
  ASSERT_EQ(comparison.ranked.size(), 2U);
  for (const Ranked& ranked : comparison.ranked) EXPECT_LT(ranked.rmse, 2 * deviation);
}

TEST(RobustFit, ScreeningKeepsOrdinaryRows) {
  int lost = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Vector weights = screened_weights(drawn(400, seed), 1);
    lost += weights.size() > 0 ? static_cast<int>((weights.array() < 1).count()) : 0;
  }
  EXPECT_LE(lost, 2) << "of 4000 rows";
  Dataset data = drawn(400, 20);
  data.y.setZero();
  data.y(3) = 1;
  EXPECT_EQ(screened_weights(data, 1).size(), 0) << "most targets are equal: there is no scale";
  EXPECT_EQ(screened_weights(drawn(8, 1), 1).size(), 0) << "too few rows";
  data = disturbed(drawn(600, 21), 5, 20);
  EXPECT_EQ(screened_weights(data, 1), screened_weights(data, 3)) << "threads do not matter";
  EXPECT_GT((screened_weights(data, 1).array() < 1).count(), 60) << "of 120 outliers, with a fifth of all rows";
}

}  // namespace
}  // namespace gpcv
