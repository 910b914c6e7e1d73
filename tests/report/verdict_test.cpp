#include "gpcv/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace gpcv {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Level = Sentence::Level;

Assessment honest() {
  Assessment a;
  a.rows = {0, 1, 2, 3};
  a.y = a.mean = a.deviation = Vector::Ones(4);
  a.with_deviation = 400;
  a.coverage = {{0.5, 0.49, 0.025}, {0.8, 0.81, 0.02}, {0.95, 0.94, 0.011}};
  a.calibration = Calibration::good;
  a.worst = 2;
  a.worst_z = 2.5;
  return a;
}

/// Converged, explains 96 %, on the inputs age and dose.
struct VerdictTest : ::testing::Test {
  Model model;
  Diagnostics seen;

  VerdictTest() {
    model.columns.features = {"age", "dose"};
    model.columns.target = "price";
    model.x = Matrix{{-1, -1}, {0, 0}, {1, 1}};
    model.scaling = Standardization::identity(2);
    model.scaling.x_scale << 10, 2;
    model.scaling.y_scale = 5;
    model.kernel = Kernel::parse("se(l=[0.5,30], s2=4)").bind(2);
    model.noise = 0.01;
    model.provenance.trainer = "gauss-newton";
    model.provenance.trace_names = {"se.l[0]", "se.l[1]", "se.s2", "noise"};
    model.provenance.standard_errors = {{"se.l[0]", 0.1}, {"se.l[1]", std::nan("")}, {"se.s2", 0.4}, {"noise", 0.2}};
    model.provenance.status = Status::converged;
    model.provenance.message = "converged";
    model.provenance.iterations = 12;
    model.provenance.cv_rmse = 2;
    model.provenance.folds = "5 random folds";
    seen.inputs = {{"age", {0}, {}, 40}, {"dose", {1}, {}, 5}};
    seen.outcome.target_deviation = 10;
    seen.outcome.explained = 0.96;
    seen.held_out = honest();
  }

  std::vector<Sentence> sentences() const { return verdict(model, seen, parameter_table(model, seen)); }
  /// All of one level, joined.
  std::string said(Level level) const {
    std::string text;
    for (const Sentence& s : sentences()) {
      if (s.level == level) text += s.text + "\n";
    }
    return text;
  }
};

TEST_F(VerdictTest, PraisesAGoodModelInThreeSentences) {
  const std::vector<Sentence> all = sentences();
  ASSERT_EQ(all.size(), 3u);
  for (const Sentence& s : all) EXPECT_EQ(s.level, Level::good) << s.text;
  EXPECT_EQ(all[0].text, "Training converged (12 steps).");
  EXPECT_THAT(all[1].text, HasSubstr("(5 random folds) are predicted very well: the root mean square error is 2, the "
                                     "standard deviation of price is 10; 96 % of its variance is explained."));
  EXPECT_THAT(all[2].text, HasSubstr("Intervals are well calibrated: 50 % intervals contain 49.0 %"));
  EXPECT_THAT(all[2].text, HasSubstr("of 400 rows (standard error 1.1 % at 95 %)."));
  EXPECT_EQ(headline(model, seen),
            (Sentence{Level::good,
                      "Yes, for predicting new rows like these: typical error 2 (price varies by 10); 95 % "
                      "intervals held 94 % of held-out rows."}));
}

TEST_F(VerdictTest, WarnsOfATrainingThatDidNotEnd) {
  model.provenance.status = Status::max_iterations;
  model.provenance.message = "not converged after 12 steps";
  EXPECT_THAT(said(Level::warning), HasSubstr("did not converge after 12 steps: the model is preliminary"));
  EXPECT_THAT(headline(model, seen).text, HasSubstr("preliminary"));
  model.provenance.status = Status::stopped;
  EXPECT_THAT(said(Level::warning), HasSubstr("was stopped"));
}

TEST_F(VerdictTest, SaysWhenEverythingIsHeld) {
  model.kernel = Kernel::parse("se(l=[0.5,30]:fixed, s2=4:fixed)").bind(2);
  model.provenance.trace_names = {};
  EXPECT_EQ(sentences()[0].text, "No parameter was trained: all of them are fixed.");
}

TEST_F(VerdictTest, WarnsOfUselessInputs) {
  seen.outcome.explained = -0.01;
  EXPECT_THAT(said(Level::warning), HasSubstr("the mean of the target predicts as well"));
  EXPECT_EQ(headline(model, seen),
            (Sentence{Level::warning,
                      "No: predictions are no better than the mean of price; typical error 2 (price "
                      "varies by 10)."}));
  EXPECT_TRUE(limits(model, seen).empty());
  seen.outcome.explained = 0.1;
  EXPECT_THAT(headline(model, seen).text, ::testing::StartsWith("Hardly: "));
  model.provenance.cv_rmse = seen.outcome.explained = std::nan("");
  EXPECT_THAT(said(Level::warning), HasSubstr("no cross-validation error"));
  EXPECT_THAT(headline(model, seen).text, ::testing::StartsWith("Unknown: "));
}

TEST_F(VerdictTest, JudgesIntervals) {
  seen.held_out.calibration = Calibration::too_narrow;
  EXPECT_THAT(said(Level::warning), HasSubstr("too narrow"));
  EXPECT_THAT(headline(model, seen).text, HasSubstr("too narrow"));
  EXPECT_THAT(headline(model, seen).text, ::testing::StartsWith("With care, for predicting"));
  EXPECT_THAT(headline(model, seen).text, HasSubstr("held only 94 %"));
  seen.held_out.calibration = Calibration::too_wide;
  EXPECT_THAT(said(Level::note), HasSubstr("too wide"));
  seen.held_out.with_deviation = 20;
  EXPECT_THAT(said(Level::note), HasSubstr("too few"));
  seen.held_out = {};
  EXPECT_THAT(said(Level::note), HasSubstr("not checked"));
  EXPECT_THAT(headline(model, seen).text, HasSubstr("not checked"));
}

TEST_F(VerdictTest, SaysWhichRowsTheHeldOutRowsStandFor) {
  const Vector time = Vector::LinSpaced(20, 0, 19);
  const Matrix x = time;
  const auto answer_for = [&](const Folds& folds) {
    model.provenance.folds = folds.description + "; each repeated the training";
    return headline(model, seen).text;
  };
  EXPECT_THAT(answer_for(Folds::random(20, 4, 1)), HasSubstr("new rows like these"));
  EXPECT_THAT(answer_for(Folds::interleaved(20, 4)), HasSubstr("new rows like these"));
  EXPECT_THAT(answer_for(Folds::holdout(20, 0.5, 1)), HasSubstr("new rows like these"));
  EXPECT_THAT(answer_for(Folds::forward_chaining(time, 3)), HasSubstr("times after the training rows"));
  EXPECT_THAT(answer_for(Folds::forward_chaining(time, 1, 3.0)), HasSubstr("times after the training rows"));
  EXPECT_THAT(answer_for(Folds::blocks(time, 4)), HasSubstr("gaps like the held-out blocks"));
  EXPECT_THAT(answer_for(Folds::regions(x, 3, 1)), HasSubstr("regions of the inputs without rows"));
  std::vector<Index> labels;
  for (Index i = 0; i < 20; ++i) labels.push_back(i % 5);
  EXPECT_THAT(answer_for(Folds::grouped(labels, 3, 1)), HasSubstr("new groups like these"));
  EXPECT_THAT(answer_for(Folds::labelled(labels)), HasSubstr("as the given folds do"));
}

TEST_F(VerdictTest, StatesTheLimitsOfTheAnswer) {
  const auto all = [&] {
    std::string text;
    for (const std::string& limit : limits(model, seen)) text += limit + "\n";
    return text;
  };
  EXPECT_THAT(all(), HasSubstr("drawn at random"));
  EXPECT_THAT(all(), HasSubstr("Beyond the training rows"));
  EXPECT_THAT(all(), Not(HasSubstr("too small")));
  model.provenance.optimism = 0.12;
  seen.outcome.at_bounds = {"noise"};
  seen.held_out.calibration = Calibration::too_narrow;
  EXPECT_THAT(all(), HasSubstr("The error is too small by about 12 %"));
  EXPECT_THAT(all(), HasSubstr("1 parameter ended at a bound"));
  EXPECT_THAT(all(), HasSubstr("Intervals are too narrow"));
  EXPECT_THAT(all(), HasSubstr("Only 4 rows were held out"));
}

TEST_F(VerdictTest, NamesParametersToDoubtInTheUsersWords) {
  seen.outcome.unknown = {"se.l[1]"};
  seen.outcome.at_bounds = {"noise"};
  seen.outcome.alternatives = {{1, 0.004, "se.l[0]", 0.5, 2}};
  const std::string notes = said(Level::note);
  EXPECT_THAT(notes, HasSubstr("These parameters are at a bound: noise. The optimum may lie outside the bound"));
  EXPECT_THAT(notes,
              HasSubstr("The data do not determine these parameters: length scale of dose. Predictions of similar "
                        "rows hardly depend on its value."));
  EXPECT_THAT(notes, HasSubstr("(error 0.4 % larger): its length scale of age is 4 times as large"));
}

TEST_F(VerdictTest, PointsAtSuspiciousResiduals) {
  seen.held_out.outliers = 7;
  seen.held_out.expected_outliers = 0.03;
  seen.held_out.worst_z = -9;
  EXPECT_THAT(said(Level::warning), HasSubstr("The errors of 7 rows exceed 4 standard deviations, 0.03 were expected: "
                                              "check their values, first in training row 3 (-9.0"));
  seen.held_out.skewness = 2;
  seen.held_out.spread_trend = 0.5;
  EXPECT_THAT(said(Level::note), HasSubstr("skewed (skewness 2.0): large ones are mostly positive. The logarithm"));
  EXPECT_THAT(said(Level::note), HasSubstr("Errors grow with the prediction"));
}

TEST_F(VerdictTest, ComparesTheTestTable) {
  seen.test = honest();
  seen.test->y = Vector::Ones(400);
  seen.test->metrics.rmse = 2.1;
  EXPECT_THAT(said(Level::good), HasSubstr("On the test table (400 rows) the root mean square error is 2.1"));
  seen.test->metrics.rmse = 6;
  EXPECT_THAT(said(Level::warning), HasSubstr("3 times that of cross-validation: its rows differ"));
  EXPECT_THAT(headline(model, seen).text, HasSubstr("test table are predicted worse"));
}

TEST_F(VerdictTest, TablesParametersInTheUsersUnits) {
  seen.outcome.unknown = {"se.l[1]"};
  const std::vector<ParameterRow> rows = parameter_table(model, seen);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].label, "length scale of age");
  EXPECT_DOUBLE_EQ(rows[0].value, 5) << "0.5 standard deviations of 10";
  EXPECT_EQ(rows[0].unit, "age");
  EXPECT_DOUBLE_EQ(rows[0].relative_error, 0.1);
  EXPECT_EQ(rows[0].remark, "");
  EXPECT_DOUBLE_EQ(rows[1].value, 60);
  EXPECT_EQ(rows[1].remark, "not determined by the data");
  EXPECT_DOUBLE_EQ(rows[2].value, 10) << "√4 standard deviations of 5";
  EXPECT_DOUBLE_EQ(rows[2].relative_error, 0.2) << "of a square root, half";
  EXPECT_EQ(rows[3].name, "noise");
  EXPECT_DOUBLE_EQ(rows[3].value, 0.5);
  EXPECT_EQ(rows[1].column, 1);
  EXPECT_EQ(rows[2].column, -1);
}

TEST_F(VerdictTest, CountsLengthScalesOfDatesInYears) {
  model.columns.dates = {0};
  const std::vector<ParameterRow> rows = parameter_table(model, seen);
  EXPECT_EQ(rows[0].unit, "years");
  EXPECT_NE(rows[1].unit, "years");
}

TEST_F(VerdictTest, LeavesTheMeanFunctionsOwnParametersOut) {
  model.kernel = Kernel::parse("se(l=[0.5,30], s2=4) + const(s2=100:fixed)").bind(2);
  model.mean = Mean::constant;
  for (const ParameterRow& row : parameter_table(model, seen)) EXPECT_THAT(row.name, Not(HasSubstr("const")));
}

}  // namespace
}  // namespace gpcv
