/// Training of several targets: their folds, their equality with trainings of one, and what an end before all leaves.
#include "gpcv/targets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "core/random.hpp"
#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"
#include "support/message_of.hpp"
#include "support/temporary_folder.hpp"

namespace gpcv {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Dataset inputs_of_rows(Index n) {
  Random random(3);
  Dataset inputs;
  inputs.x = Matrix::NullaryExpr(n, 2, [&] { return random.normal(); });
  inputs.time = Vector::LinSpaced(n, 0, 1);
  for (Index i = 0; i < n; ++i) inputs.labels.push_back(i % 7);
  inputs.columns.features = {"u", "v"};
  inputs.columns.feature_indices = {0, 1};
  return inputs;
}

/// Targets a, b and c of n rows; a has no value in every fifth row.
std::vector<Dataset> three_targets(Index n) {
  const Dataset inputs = inputs_of_rows(n);
  Random random(5);
  Matrix y(n, 3);
  for (Index i = 0; i < n; ++i) {
    const double u = inputs.x(i, 0), v = inputs.x(i, 1);
    y.row(i) << (i % 5 == 2 ? nan : std::sin(2 * u)), u * v, std::exp(0.3 * u) + v;
    for (Index t = 0; t < 3; ++t) y(i, t) += 0.1 * random.normal();
  }
  return split_targets(inputs, y, {"a", "b", "c"});
}

TargetsOptions options_with(const std::string& kernel) {
  TargetsOptions options;
  options.fit.kernel = Kernel::parse(kernel);
  return options;
}

/// The rows of the table that each fold validates.
std::vector<std::set<Index>> validated(const FitResult& result, const Dataset& data) {
  std::vector<std::set<Index>> out;
  for (const Fold& fold : result.folds.folds) {
    out.emplace_back();
    for (const Index row : fold.validation) out.back().insert(data.reading.table_row(row));
  }
  return out;
}

void expect_equal(const Model& a, const Model& b) {
  EXPECT_EQ(a.kernel.to_string(), b.kernel.to_string());
  EXPECT_EQ(a.noise, b.noise);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.provenance.cv_rmse, b.provenance.cv_rmse);
  EXPECT_EQ(a.error_scale.factor, b.error_scale.factor);
}

TEST(FitTargets, EqualTrainingsOfEach) {
  const auto targets = three_targets(60);
  for (const Assess assess : {Assess::inner, Assess::nested}) {
    TargetsOptions options = options_with("se(ard)");
    options.fit.assess = assess;
    const auto results = fit_targets(targets, options);
    ASSERT_EQ(results.size(), 3U);
    for (const std::size_t t : {1U, 2U}) {
      const FitResult alone = fit(targets[t], options.fit);
      expect_equal(results[t].model, alone.model);
      const Matrix x = targets[0].x.topRows(5);
      const Posterior several(results[t].model, {}), one(alone.model, {});
      EXPECT_EQ(several.predict(x).mean, one.predict(x).mean);
      EXPECT_EQ(several.predict(x).variance, one.predict(x).variance);
    }
  }
}

TEST(FitTargets, ARowIsInTheSameFoldForAll) {
  const auto targets = three_targets(60);
  using Kind = FoldOptions::Kind;
  const std::vector<FoldOptions> kinds{{.kind = Kind::random, .count = 4},  {.kind = Kind::interleaved, .count = 3},
                                       {.kind = Kind::groups, .count = 3},  {.kind = Kind::column},
                                       {.kind = Kind::regions, .count = 3}, {.kind = Kind::blocks, .count = 4},
                                       {.kind = Kind::time, .blocks = 3}};
  for (const FoldOptions& kind : kinds) {
    TargetsOptions options = options_with("se");
    options.fit.folds = kind;
    options.fit.importance = false;
    const auto results = fit_targets(targets, options);
    const auto of_a = validated(results[0], targets[0]), of_b = validated(results[1], targets[1]);
    ASSERT_EQ(of_a.size(), of_b.size());
    for (std::size_t k = 0; k < of_a.size(); ++k) {
      EXPECT_FALSE(of_a[k].empty());
      for (const Index row : of_a[k]) EXPECT_EQ(of_b[k].count(row), 1U) << "row " << row << " in fold " << k;
    }
  }
}

TEST(FitTargets, FoldsThatAreShared_CanBeMadeAgainOfAPart) {
  const auto targets = three_targets(60);
  TargetsOptions options = options_with("se");
  options.fit.assess = Assess::nested;
  options.fit.folds = FoldOptions{.kind = FoldOptions::Kind::groups, .count = 3};
  const auto results = fit_targets(targets, options);
  EXPECT_EQ(results[0].model.provenance.assessment, "nested");
  EXPECT_THAT(results[0].model.provenance.folds, HasSubstr("each repeated the training"));
  EXPECT_EQ(results[0].folds.rows, 48);
}

TEST(FitTargets, FoldsOfTheCallerAreThoseOfTheTable) {
  const auto targets = three_targets(60);
  TargetsOptions options = options_with("se");
  options.fit.folds =
      FoldOptions{.kind = FoldOptions::Kind::given, .folds = std::make_shared<Folds>(Folds::interleaved(60, 3))};
  const auto results = fit_targets(targets, options);
  for (const std::size_t t : {0U, 1U}) {
    const auto rows = validated(results[t], targets[t]);
    ASSERT_EQ(rows.size(), 3U);
    for (std::size_t k = 0; k < 3; ++k) {
      for (const Index row : rows[k]) EXPECT_EQ(static_cast<std::size_t>(row) % 3, k);
    }
  }
}

TEST(FitTargets, ATargetOfFewRowsHasFoldsOfItsOwn) {
  const Dataset inputs = inputs_of_rows(20);
  Matrix y(20, 2);
  for (Index i = 0; i < 20; ++i) y.row(i) << (i < 6 ? std::sin(inputs.x(i, 0)) : nan), inputs.x(i, 1);
  const auto targets = split_targets(inputs, y, {"few", "all"});
  TargetsOptions options = options_with("se");
  options.fit.folds = FoldOptions{.kind = FoldOptions::Kind::blocks, .count = 3};  // the first has all rows of "few"
  const auto results = fit_targets(targets, options);
  EXPECT_EQ(results[0].folds.validated(), 6);
  EXPECT_EQ(results[0].folds.size(), 3);
}

TEST(FitTargets, AreTrainedInTheirOrder) {
  const auto targets = three_targets(40);
  TargetsOptions options = options_with("se");
  std::vector<std::string> events;
  options.done = [&](Index i, const FitResult& result) {
    events.push_back(fmt::format("done {} {}", i, result.model.columns.target));
  };
  fit_targets(targets, options, [&](Index i) { events.push_back(fmt::format("begin {}", i)); });
  EXPECT_THAT(events, ElementsAre("begin 0", "done 0 a", "begin 1", "done 1 b", "begin 2", "done 2 c"));
}

TEST(FitTargets, AStopKeepsWhatIsTrained) {
  const auto targets = three_targets(40);
  TargetsOptions options = options_with("se");
  bool stop = false;
  options.done = [&](Index i, const FitResult&) { stop = i == 1; };
  options.fit.train.compute.stop = [&] { return stop; };
  EXPECT_EQ(fit_targets(targets, options).size(), 2U);
  // A stop in a training ends those after it, too.
  Index begun = 0;
  const auto results = fit_targets(
      targets, options_with("se"), [&](Index i) { begun = i; }, [&](const IterationRecord&) { return begun < 1; });
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[1].model.provenance.status, Status::stopped);
}

TEST(FitTargets, ATargetThatCannotBeTrainedLeavesTheOthers) {
  const auto targets = three_targets(40);
  TargetsOptions options = options_with("se");
  Index begun = 0;
  const auto begin = [&](Index i) { begun = i; };
  const auto break_down = [&](const Problem&, const std::string&) {
    if (begun == 1) throw NumericalError("the matrix is not positive definite");
  };
  std::string said;
  options.failed = [&](Index i, const NumericalError& error) { said = fmt::format("{}: {}", i, error.what()); };
  const auto results = fit_targets(targets, options, begin, {}, break_down);
  EXPECT_EQ(said, "1: target 'b': the matrix is not positive definite");
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[1].model.columns.target, "c");
  options.failed = {};
  EXPECT_THROW(fit_targets(targets, options, begin, {}, break_down), NumericalError);
  // Where no target can be trained there is nothing to return.
  options.failed = [](Index, const NumericalError&) {};
  const auto break_always = [](const Problem&, const std::string&) { throw NumericalError("singular"); };
  EXPECT_THROW(fit_targets(targets, options, begin, {}, break_always), NumericalError);
}

TEST(FitTargets, RefuseATargetBeforeAnyIsTrained) {
  auto targets = three_targets(40);
  targets[2].y.setConstant(7);
  bool begun = false;
  EXPECT_THAT(message_of([&] { fit_targets(targets, options_with("se"), [&](Index) { begun = true; }); }),
              HasSubstr("target 'c': the target 'c' is constant, every value is 7"));
  EXPECT_FALSE(begun);
  targets = three_targets(40);
  TargetsOptions options = options_with("se");
  options.fit.transform.given = {.kind = TargetTransform::Kind::log};
  EXPECT_THAT(message_of([&] { fit_targets(targets, options); }), HasSubstr("target 'a': "));
  EXPECT_THAT(message_of([&] { fit_targets({}, options); }), HasSubstr("there is no target to train"));
  // The target b was measured at one site only.
  Dataset inputs = inputs_of_rows(40);
  inputs.labels.assign(40, 0);
  std::fill_n(inputs.labels.begin(), 20, 1);
  Matrix y(40, 2);
  y << inputs.x.col(0), inputs.x.col(1);
  y.col(1).head(20).setConstant(nan);
  targets = split_targets(inputs, y, {"a", "b"});
  options = options_with("se");
  options.fit.folds = FoldOptions{.kind = FoldOptions::Kind::groups, .count = 2};
  begun = false;
  EXPECT_THAT(message_of([&] { fit_targets(targets, options, [&](Index) { begun = true; }); }),
              HasSubstr("target 'b': "));
  EXPECT_FALSE(begun);
}

TEST(FitTargets, EachHasItsCheckpoint) {
  const TemporaryFolder folder;
  const auto targets = three_targets(40);
  TargetsOptions options = options_with("se");
  options.fit.checkpoint = folder / "state.ckpt";
  fit_targets(targets, options);
  for (const char* name : {"a", "b", "c"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / fmt::format("state.{}.ckpt", name)));
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "state.ckpt"));
  std::filesystem::remove(folder / "state.a.ckpt");
  bool begun = false;
  EXPECT_THAT(message_of([&] { fit_targets(targets, options, [&](Index) { begun = true; }); }),
              HasSubstr("target 'b': the checkpoint"));
  EXPECT_FALSE(begun);
  options.fit.resume = true;
  EXPECT_EQ(fit_targets(targets, options).size(), 3U);
}

TEST(FitTargets, EachStartsFromItsEarlierModel) {
  const auto targets = three_targets(40);
  TargetsOptions options = options_with("matern52(ard)");
  const auto first = fit_targets(targets, options);
  options.fit = FitOptions::automatic();
  options.fit.assess = Assess::inner;
  options.fit.train.restarts = 1;
  for (const FitResult& result : first) options.warm.push_back(std::make_shared<Model>(result.model));
  const auto again = fit_targets(targets, options);
  for (std::size_t t = 0; t < 3; ++t) {
    EXPECT_THAT(again[t].model.kernel.to_string(), testing::StartsWith("matern52(")) << "no other kernel is chosen";
    EXPECT_LE(again[t].model.provenance.objective, first[t].model.provenance.objective * (1 + 1e-3));
  }
  options.warm.pop_back();
  EXPECT_THAT(message_of([&] { fit_targets(targets, options); }), HasSubstr("2 earlier models for 3 targets"));
}

}  // namespace
}  // namespace gpcv
