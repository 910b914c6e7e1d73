#include "gpcv/fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/bytes.hpp"
#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/synthetic.hpp"
#include "support/random_kernel.hpp"

namespace gpcv {
namespace {

Dataset dataset(Matrix x, Vector y) {
  Dataset data{std::move(x), std::move(y), {}};
  for (Index c = 0; c < data.x.cols(); ++c) {
    data.columns.features.push_back("x" + std::to_string(c));
    data.columns.feature_indices.push_back(c);
  }
  data.columns.target = "y";
  data.columns.target_index = data.x.cols();
  data.columns.table_columns = data.x.cols() + 1;
  return data;
}

Dataset drawn(const std::string& kernel, Index n, Index d, std::uint64_t seed) {
  const Synthetic s = draw(Kernel::parse(kernel), {.n = n, .dims = d, .noise = 0.05, .even = d == 1, .seed = seed});
  return dataset(s.x, s.y);
}

TEST(Fit, PredictionsFollowTheUnitsOfTheTarget) {
  const Dataset data = drawn("se(l=1)", 80, 2, 1);
  Dataset scaled = data;
  scaled.y = data.y.array() * 1000 + 5e5;
  scaled.x.col(1) *= 1e-6;
  const FitResult a = fit(data, {}), b = fit(scaled, {});
  const Matrix x = data.x.topRows(10);
  Matrix scaled_x = x;
  scaled_x.col(1) *= 1e-6;
  const Prediction pa = Posterior(a.model, {}).predict(x), pb = Posterior(b.model, {}).predict(scaled_x);
  EXPECT_LT(((pb.mean.array() - 5e5) / 1000 - pa.mean.array()).matrix().norm(), 1e-3 * pa.mean.norm());
  EXPECT_LT((pb.variance / 1e6 - pa.variance).norm(), 1e-3 * pa.variance.norm());
  EXPECT_NEAR(b.model.provenance.cv_rmse / 1000, a.model.provenance.cv_rmse, 1e-4 * a.model.provenance.cv_rmse);
}

TEST(Fit, OneInputColumnKeepsItsUnit) {
  const Dataset data = drawn("periodic(l=1, p=3)", 150, 1, 2);
  FitOptions options;
  options.kernel = Kernel::parse("periodic(p=3.1)");
  const FitResult result = fit(data, options);
  EXPECT_EQ(result.model.scaling.x_scale(0), 1);
  EXPECT_NEAR(result.model.kernel.parameters()[1].value, 3, 0.02);
}

TEST(Fit, WithoutStandardisingTheDataStayAsTheyAre) {
  const Dataset data = drawn("se(l=1)", 50, 2, 3);
  FitOptions options;
  options.standardize = false;
  const FitResult result = fit(data, options);
  EXPECT_EQ(result.model.x, data.x);
  EXPECT_EQ(result.model.y, data.y);
}

TEST(Fit, CrossValidationErrorIsThatOfTheFolds) {
  const Dataset data = drawn("se(l=1)", 60, 1, 4);
  FitOptions options;
  options.folds = FoldOptions::parse("4:interleaved");
  const FitResult result = fit(data, options);
  const Model& m = result.model;
  const Vector residuals =
      cross_validation_residuals({m.x, m.y, m.kernel, {.variance = m.noise}}, Folds::interleaved(60, 4), {});
  EXPECT_NEAR(m.provenance.cv_rmse, std::sqrt(residuals.squaredNorm() / 60) * m.scaling.y_scale, 1e-12);
}

TEST(Fit, WeightsSolveTheModelsOwnSystemWhicheverSolveTheyCameFrom) {
  const Dataset data = drawn("se(l=1)", 300, 2, 7);
  for (const char* folds : {"5", "holdout"}) {
    for (const char* noise : {"", "0.1:fixed"}) {
      SCOPED_TRACE(std::string(folds) + ", " + noise);
      FitOptions options;
      options.train.compute.solver = Solver::cg;
      if (*noise != '\0') options.noise = Noise::parse(noise);
      if (*folds == 'h') options.folds = FoldOptions{.kind = FoldOptions::Kind::holdout, .fraction = 0.3};
      const Model model = fit(data, options).model;
      // By the same kernel and noise, scaled by the calibration where nobody has said how large variances are.
      const Vector exact =
          posterior_weights({model.x, model.y, model.kernel, {.variance = model.noise}}, {.solver = Solver::cholesky});
      EXPECT_LT((model.weights - exact).norm(), 1e-4 * exact.norm());
    }
  }
}

TEST(Fit, WhatIsAnnouncedIsWhatIsDone) {
  const Dataset data = drawn("se(l=1)", 200, 2, 8);
  for (Solver solver : {Solver::cholesky, Solver::cg}) {
    std::size_t memory = std::size_t{1} << 30;
    for (const char* starts : {"3 starts side by side", "3 starts one after the other"}) {
      SCOPED_TRACE(std::string(name_of(solver)) + ", " + starts);
      FitOptions options;
      options.kernel = Kernel::parse("se(ard, l=1, s2=1)");
      options.noise = Noise::parse("0.05:fixed");
      options.train.start = Start::values;
      options.train.compute = {.solver = solver, .memory = memory, .rank = 50};
      std::string announced;
      const FitResult result =
          fit(data, options, {}, [&](const Problem&, const std::string& plan) { announced = plan; });
      EXPECT_THAT(announced, testing::HasSubstr(result.training.plan));
      EXPECT_THAT(announced, testing::HasSubstr(starts));
      EXPECT_EQ(result.solver, solver);
      EXPECT_LE(result.planned_memory, memory);
      EXPECT_THAT(announced, testing::HasSubstr(bytes(result.planned_memory)));
      memory = result.planned_memory - 1;
    }
  }
}

TEST(Fit, CrossValidatesInTimeOrder) {
  Dataset data = drawn("se(l=1)", 60, 1, 6);
  data.time = -data.x.col(0);  // the first row is the latest
  FitOptions options;
  options.folds = FoldOptions::parse_time("x0:4");
  const FitResult result = fit(data, options);
  const Model& m = result.model;
  const Vector residuals = cross_validation_residuals({m.x, m.y, m.kernel, {.variance = m.noise}},
                                                      Folds::forward_chaining(data.time, 4), {});
  EXPECT_TRUE(std::isnan(residuals(59)));
  EXPECT_NEAR(m.provenance.cv_rmse, std::sqrt(residuals.head(48).squaredNorm() / 48) * m.scaling.y_scale, 1e-12);
  EXPECT_EQ(m.provenance.folds, "4 blocks in time order, each trained on all before it");
}

TEST(Fit, TraceHasOneRowPerEvaluation) {
  int calls = 0;
  const FitResult result = fit(drawn("se(l=1)", 40, 1, 5), {}, [&](const IterationRecord&) { return ++calls > 0; });
  EXPECT_EQ(result.model.provenance.trace.rows(), calls);
  EXPECT_EQ(result.model.provenance.trace.cols(), static_cast<Index>(result.model.provenance.trace_names.size()));
  EXPECT_EQ(result.model.provenance.trace_names.back(), measure_names({}).back());
}

TEST(Fit, ThreeRowsAreEnough) {
  const FitResult result = fit(dataset(Vector{{0, 1, 2}}, Vector{{1, 3, 2}}), {});
  EXPECT_TRUE(std::isfinite(result.model.provenance.cv_rmse));
  EXPECT_THROW(fit(dataset(Vector{{0, 1}}, Vector{{1, 3}}), {}), InputError);
}

TEST(FoldOptions, ParsesNumbersAndInterleaving) {
  EXPECT_EQ(FoldOptions::parse("7").count, 7);
  EXPECT_EQ(FoldOptions::parse("2:interleaved").kind, FoldOptions::Kind::interleaved);
  for (const char* bad : {"", "1", "0", "-3", "x", "5:random", "5:", "2.5"}) {
    EXPECT_THROW(FoldOptions::parse(bad), InputError) << bad;
  }
}

TEST(FoldOptions, ParsesAColumnOfTimeWithBlocksAndWidth) {
  const auto parsed = [](const std::string& text) {
    const FoldOptions o = FoldOptions::parse_time(text);
    EXPECT_EQ(o.kind, FoldOptions::Kind::time) << text;
    return fmt::format("{} {} {}", o.column, o.blocks, o.width.value_or(0));
  };
  EXPECT_EQ(parsed("date"), "date 5 0");
  EXPECT_EQ(parsed("date:8"), "date 8 0");
  EXPECT_EQ(parsed("date:8:0.25"), "date 8 0.25");
  EXPECT_EQ(parsed("0"), "0 5 0");
  EXPECT_EQ(parsed("-1:3"), "-1 3 0");
  EXPECT_EQ(parsed("0:3:1e-2"), "0 3 0.01");
  EXPECT_EQ(parsed("my column:2"), "my column 2 0");
}

TEST(FoldOptions, SplitsOnlyTrailingNumbersOffAColumnWithColons) {
  EXPECT_EQ(FoldOptions::parse_time("hh:mm").column, "hh:mm");
  EXPECT_EQ(FoldOptions::parse_time("hh:mm:3").column, "hh:mm");
  EXPECT_EQ(FoldOptions::parse_time("hh:mm:3:2").column, "hh:mm");
  EXPECT_EQ(FoldOptions::parse_time("1:hh").column, "1:hh");
  EXPECT_EQ(FoldOptions::parse_time("a:1:2:3").column, "a:1");
}

TEST(FoldOptions, RefusesATimeItCannotRead) {
  for (const char* bad : {"", ":5", ":5:1", "t:0", "t:-2", "t:2.5", "t:2.5:1", "t:0:1", "t:5:0", "t:5:-1", "t:5:nan",
                          "t:5:inf", "t:99999999999999999999"}) {
    EXPECT_THROW(FoldOptions::parse_time(bad), InputError) << bad;
  }
}

TEST(FoldOptions, FoldsInTimeOrderNeedTheTimes) {
  Dataset data = drawn("se(l=1)", 20, 1, 7);
  const FoldOptions options = FoldOptions::parse_time("x0:3");
  EXPECT_THROW(options.make(data, 1), InputError);
  data.time = data.x.col(0);
  EXPECT_EQ(options.make(data, 1).size(), 3);
}

}  // namespace
}  // namespace gpcv
