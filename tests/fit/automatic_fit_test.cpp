/// What fit() does by default: it chooses the kernel and assesses the error by outer folds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/random.hpp"
#include "fit/kernel_candidates.hpp"
#include "fit/nested.hpp"
#include "gpcv/error.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/posterior.hpp"
#include "prediction/signal.hpp"
#include "support/message_of.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;

Dataset table(Matrix x, Vector y) {
  Dataset data{std::move(x), std::move(y), {}};
  for (Index c = 0; c < data.inputs(); ++c) {
    data.columns.features.push_back("x" + std::to_string(c));
    data.columns.feature_indices.push_back(c);
  }
  data.columns.target = "y";
  data.columns.target_index = data.inputs();
  data.columns.table_columns = data.inputs() + 1;
  return data;
}

/// y = f(x) + noise of deviation s, x uniform on [−1, 1].
template <class Function>
Dataset drawn(Index n, Index d, double s, std::uint64_t seed, const Function& f) {
  Random random(seed);
  Matrix x(n, d);
  for (double& v : x.reshaped()) v = random.uniform(-1, 1);
  Vector y(n);
  for (Index i = 0; i < n; ++i) y(i) = f(x.row(i)) + s * random.normal();
  return table(std::move(x), std::move(y));
}

double wavy(const Eigen::RowVectorXd& x) { return x(0) + x(1) * x(1) + std::sin(3 * x(2)); }

/// Root mean square error of the model's predictions.
double error_of(const Model& model, const Dataset& fresh) {
  return evaluate(Posterior(model, {}).predict(fresh.x, {.mean_only = true}), fresh.y).rmse;
}

FitOptions among(std::vector<std::string> candidates) {
  FitOptions options = FitOptions::automatic();
  options.candidates = std::move(candidates);
  options.assess = Assess::inner;
  return options;
}

TEST(ChosenKernel, IsRoughForARoughFunctionAndLinearForALinearOne) {
  const Dataset rough = drawn(300, 1, 0.02, 1, [](const auto& x) { return std::abs(std::sin(7 * x(0))); });
  const FitResult found = fit(rough, among({"se", "matern32", "matern12"}));
  ASSERT_EQ(found.model.provenance.kernels.size(), 3u);
  EXPECT_THAT(found.model.kernel.to_string(), HasSubstr("matern"));
  EXPECT_TRUE(found.model.provenance.kernels.front().chosen);

  const Dataset mixed = drawn(150, 4, 0.05, 2, [](const auto& x) { return 5 * x(0) - 3 * x(1) + 2 * x(2) - x(3); });
  const FitResult linear = fit(mixed, among({"matern12", "matern12+linear"}));
  EXPECT_THAT(linear.model.kernel.to_string(), HasSubstr("linear"));
}

TEST(ChosenKernel, IsTrainedOnAllRowsAsIfItHadBeenTyped) {
  const Dataset data = drawn(200, 3, 0.1, 3, wavy), fresh = drawn(500, 3, 0.1, 4, wavy);
  const FitResult chosen = fit(data, among({"se", "matern52"}));
  FitOptions typed;
  typed.kernel = Kernel::parse(chosen.model.provenance.kernels.front().kernel);
  EXPECT_LT(error_of(chosen.model, fresh), 1.05 * error_of(fit(data, typed).model, fresh));
  EXPECT_EQ(chosen.seconds.front().first, "choose");
}

TEST(ChosenKernel, IsASumWhereGroupsOfInputsActApart) {
  const auto apart = [](const auto& x) { return std::sin(7 * x(0) + x(1)) + std::sin(2 * x(2) + 7 * x(3)); };
  const Dataset data = drawn(400, 4, 0.05, 7, apart), fresh = drawn(500, 4, 0.05, 8, apart);
  const FitResult chosen = fit(data, among({"se", "se+se"}));
  const std::vector<RankedKernel>& ranking = chosen.model.provenance.kernels;
  ASSERT_EQ(ranking.size(), 2u) << "a candidate is listed once, whatever the number of its starts";
  EXPECT_EQ(ranking.front().name, "se+se");
  const double of_one_part = error_of(fit(data, among({"se"})).model, fresh);
  EXPECT_LT(error_of(chosen.model, fresh), 0.5 * of_one_part);

  // Random starts divide the inputs; of 24 such tables they found the parts in 22.
  FitOptions typed;
  typed.kernel = Kernel::parse(ranking.front().kernel);
  int found = 0;
  for (std::uint64_t seed = 101; seed <= 104; ++seed) {
    const FitResult sum = fit(drawn(400, 4, 0.05, seed, apart), typed);
    found += error_of(sum.model, fresh) < 0.5 * of_one_part ? 1 : 0;
  }
  EXPECT_GE(found, 3) << "a typed sum finds its parts too";
}

TEST(ChosenKernel, SumsNeedTenRowsForEachParameter) {
  const Dataset few = drawn(60, 6, 0.05, 9, [](const auto& x) { return x(0) + x(1); });
  const FitResult chosen = fit(few, among({"se", "se+matern32", "se+se+se"}));
  ASSERT_EQ(chosen.model.provenance.kernels.size(), 1u);
  EXPECT_EQ(chosen.model.provenance.kernels.front().name, "se");
}

TEST(ChosenKernel, SeasonsComeFromThePeriodogram) {
  const Dataset data = drawn(300, 1, 0.1, 5, [](const auto& x) { return x(0) + std::sin(40 * x(0)); });
  const FitResult found = fit(data, among({"se", "seasonal"}));
  EXPECT_THAT(found.model.kernel.to_string(), HasSubstr("periodic"));
}

TEST(ChosenKernel, CandidatesSuitTheInputs) {
  const Matrix many = Matrix::Random(30, 21), one = Matrix::Random(30, 1);
  for (const KernelCandidate& c : kernel_candidates(many, {}, {})) EXPECT_NE(c.name, "one-input-sum");
  for (const KernelCandidate& c : kernel_candidates(one, {0.5}, {})) Kernel::parse(c.text).bind(1);
  Matrix indicators = Matrix::Random(30, 3);
  indicators.col(1) = (indicators.col(1).array() > 0).cast<double>();
  const auto sum = kernel_candidates(indicators, {}, {"one-input-sum"});
  ASSERT_EQ(sum.size(), 1u);
  EXPECT_EQ(sum[0].text, "matern32(ard) + matern32(on=[0]) + matern32(on=[2])");
  EXPECT_THAT(message_of([&] { kernel_candidates(many, {}, {"sea"}); }), HasSubstr("no candidate 'sea'"));
  EXPECT_THAT(message_of([&] { kernel_candidates(many, {}, {"seasonal"}); }), HasSubstr("suits these inputs"));
}

TEST(ChosenKernel, TwoPeriodsMakeACandidateWithBoth) {
  const Matrix one = Matrix::Random(30, 1);
  const auto both = kernel_candidates(one, {1, 7}, {"two-seasons"});
  ASSERT_EQ(both.size(), 1u);
  EXPECT_EQ(both[0].text, "se + se*periodic(p=1) + se*periodic(p=7)");
  EXPECT_THAT(message_of([&] { kernel_candidates(one, {1}, {"two-seasons"}); }), HasSubstr("suits these inputs"));
}

TEST(ChosenKernel, ALinearTargetIsPredictedToTheLastDigits) {
  // A linear part without noise must not grow until predictions consist of rounding errors.
  const auto exactly = [](const auto& x) { return 2 * x(0) - 3 * x(1); };
  const Dataset data = drawn(150, 2, 0, 10, exactly), fresh = drawn(300, 2, 0, 11, exactly);
  const FitResult found = fit(data, among({"se+linear", "rq+linear"}));
  EXPECT_LT(error_of(found.model, fresh), 1e-7);
  EXPECT_LT(error_of(found.model, fresh), 10 * found.model.provenance.cv_rmse + 1e-8);
}

TEST(ChosenKernel, ItsStandardErrorsAreKnownWithALinearPart) {
  const Dataset data = drawn(200, 2, 0.1, 12, [](const auto& x) { return 3 * x(0) + std::sin(4 * x(1)); });
  FitOptions options;
  options.kernel = Kernel::parse("se(ard) + linear(ard)");
  const FitResult found = fit(data, options);
  ASSERT_FALSE(found.training.standard_errors.empty());
  int known = 0;
  for (const auto& [name, error] : found.training.standard_errors) known += std::isfinite(error);
  EXPECT_GE(known, 3) << "the common scale of both parts is held";
}

TEST(ChosenKernel, ATimeLimitLeavesAModelAndAStopWithoutAnErrorNone) {
  const Dataset data = drawn(150, 2, 0.1, 6, [](const auto& x) { return x(0); });
  FitOptions options = among({});
  options.train.time_limit = 1e-3;
  const FitResult late = fit(data, options);
  EXPECT_EQ(late.training.status, Status::time_limit);
  EXPECT_THAT(late.model.provenance.message, HasSubstr("the choice of the kernel was cut short"));
  FitOptions stopped = among({});
  stopped.train.compute.stop = [] { return true; };
  EXPECT_THROW(fit(data, stopped), Interrupted);
}

TEST(NestedError, IsThatOfNewRowsWhereInputsAreMany) {
  // The folds that have chosen 21 parameters of 60 rows flatter them.
  double inner = 0, nested = 0, truth = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Dataset data = drawn(60, 20, 0.2, seed, wavy), fresh = drawn(1000, 20, 0.2, seed + 50, wavy);
    FitOptions options;
    options.assess = Assess::nested;
    const FitResult result = fit(data, options);
    EXPECT_EQ(result.model.provenance.assessment, "nested");
    inner += result.model.provenance.inner_rmse;
    nested += result.model.provenance.cv_rmse;
    truth += error_of(result.model, fresh);
  }
  EXPECT_LT(inner, 0.9 * truth);
  EXPECT_NEAR(nested / truth, 1, 0.35);
  EXPECT_GT(nested, inner);
}

TEST(NestedError, KeepsGroupsAndTimesApart) {
  Dataset data = drawn(120, 2, 0.1, 7, [](const auto& x) { return std::sin(3 * x(0)); });
  data.time = data.x.col(0);
  for (Index i = 0; i < data.rows(); ++i) data.labels.push_back(i / 6);
  FitOptions options;
  options.assess = Assess::nested;
  options.folds = FoldOptions{.kind = FoldOptions::Kind::groups, .count = 4, .column = "g"};
  const FitResult groups = fit(data, options);
  EXPECT_EQ(groups.model.provenance.assessment, "nested") << groups.model.provenance.message;
  EXPECT_THAT(groups.model.provenance.folds, HasSubstr("groups"));
  options.folds = FoldOptions{.kind = FoldOptions::Kind::time, .column = "x0", .blocks = 4};
  const FitResult times = fit(data, options);
  EXPECT_EQ(times.model.provenance.assessment, "nested") << times.model.provenance.message;
  EXPECT_LE(times.model.error_scale.degrees, 4) << "four blocks";
}

TEST(NestedError, ItsIntervalsHoldWhatTheyPromiseOfNewRows) {
  // The kernels of the outer trainings have scales of their own, which say nothing about the variances of the model.
  const auto smooth = [](const auto& x) { return std::sin(3 * x(0)) + x(1) * x(1); };
  double half = 0, most = 0;
  constexpr int seeds = 4;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Dataset data = drawn(150, 2, 0.1, seed, smooth), fresh = drawn(1000, 2, 0.1, seed + 50, smooth);
    FitOptions options = among({"rq", "se+linear"});
    options.assess = Assess::nested;
    const Metrics m = evaluate(Posterior(fit(data, options).model, {}).predict(fresh.x), fresh.y);
    half += m.coverage50 / seeds;
    most += m.coverage95 / seeds;
  }
  EXPECT_NEAR(half, 0.5, 0.12);
  EXPECT_NEAR(most, 0.95, 0.04);
}

TEST(NestedError, SaysWhyThereIsNone) {
  Dataset data = drawn(40, 1, 0.1, 13, [](const auto& x) { return x(0); });
  for (Index i = 0; i < data.rows(); ++i) data.labels.push_back(i % 2);
  FitOptions options;
  options.assess = Assess::automatic;
  options.folds = FoldOptions{.kind = FoldOptions::Kind::groups, .count = 2, .column = "g"};
  const FitResult result = fit(data, options);
  EXPECT_EQ(result.model.provenance.assessment, "inner");
  EXPECT_THAT(result.model.provenance.message, HasSubstr("no nested error: 2 of 2 outer folds failed: "));
}

TEST(NestedError, IsRefusedForFoldsThatCannotBeMadeAgain) {
  const Dataset data = drawn(60, 1, 0.1, 8, [](const auto& x) { return x(0); });
  FitOptions options;
  options.assess = Assess::nested;
  options.folds = FoldOptions{.kind = FoldOptions::Kind::holdout, .fraction = 0.3};
  const FitResult result = fit(data, options);
  EXPECT_EQ(result.model.provenance.assessment, "inner");
  EXPECT_THAT(result.model.provenance.message, HasSubstr("no nested error"));
}

/// Outer folds of a large table cost the more, the more rows they predict, also where nothing is trained.
TEST(NestedError, OfHeldParametersIsNotChosenForLargeTables) {
  FitOptions options;
  options.assess = Assess::automatic;
  const auto nests = [&](Index rows) {
    return assesses_nested(options, table(Matrix::Zero(rows, 2), Vector::Zero(rows)), 0, 0);
  };
  EXPECT_TRUE(nests(1000));
  EXPECT_FALSE(nests(20'000));
}

TEST(NestedError, KnownNoiseKeepsItsUnits) {
  Dataset data = drawn(100, 1, 0, 9, [](const auto& x) { return 100 * x(0); });
  Random random(9);
  data.noise.resize(100);
  for (Index i = 0; i < 100; ++i) {
    data.noise(i) = i % 2 == 0 ? 1 : 5;
    data.y(i) += data.noise(i) * random.normal();
  }
  data.columns.noise = "s";
  FitOptions options;
  options.assess = Assess::nested;
  const Model model = fit(data, options).model;
  EXPECT_EQ(model.provenance.assessment, "nested");
  const HeldOutRows held = held_out_rows(model);
  for (std::size_t i = 0; i < held.rows.size(); ++i) {
    const double expected = data.noise(held.rows[i]);
    EXPECT_NEAR(std::sqrt(held.prediction.variance(static_cast<Index>(i))) / expected, 1, 0.3);
  }
}

TEST(Signal, NoiseIsSaidToBeNoiseAndAWeakSignalIsNot) {
  int said = 0, wrong = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    FitOptions options = among({"matern52"});
    options.assess = Assess::automatic;
    const auto nothing = [](const auto&) { return 0.0; };
    said += fit(drawn(150, 4, 1, seed, nothing), options).findings.size();
    const auto weak = [](const auto& x) { return 0.7 * std::sin(3 * x(0)); };
    wrong += fit(drawn(300, 3, 1, seed, weak), options).findings.size();
  }
  EXPECT_EQ(said, 3);
  EXPECT_EQ(wrong, 0);
}

TEST(Signal, AnExtremeRowDoesNotHideIt) {
  Model model;
  Random random(1);
  model.y.resize(100);
  for (double& v : model.y) v = random.normal();
  model.scaling.y_scale = 1;
  HeldOut& held = model.provenance.held_out;
  held.variance = Vector::Ones(100);
  held.mean = Vector::Zero(100);
  EXPECT_FALSE(beats_mean(model)) << "it predicts the mean";
  held.mean = 0.9 * model.y;
  EXPECT_TRUE(beats_mean(model));
  model.y(7) = 1000;
  EXPECT_TRUE(beats_mean(model)) << "99 of 100 rows are nearer to their prediction";
  model.y = Vector::LinSpaced(5, -1, 1);
  held.mean = 0.9 * model.y;
  held.variance = Vector::Ones(5);
  EXPECT_TRUE(beats_mean(model)) << "five rows with a hundredth of the error";
}

TEST(Coverage, TooSmallANoiseIsSaid) {
  Dataset data = drawn(120, 1, 0.5, 14, [](const auto& x) { return 3 * x(0); });
  data.noise = Vector::Constant(120, 0.05);
  data.columns.noise = "s";
  FitOptions options;
  const std::vector<Finding> findings = fit(data, options).findings;
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].code, "coverage");
  data.noise = Vector::Constant(120, 0.5);
  EXPECT_TRUE(fit(data, options).findings.empty());
}

TEST(Optimism, IsSaidWhereParametersAreMany) {
  const FitResult many = fit(drawn(60, 20, 0.2, 1, wavy), {});
  EXPECT_GT(many.model.provenance.optimism, 0);
  const FitResult few = fit(drawn(300, 3, 0.2, 1, wavy), {});
  EXPECT_LT(few.model.provenance.optimism, 0.05);
  EXPECT_THAT(few.model.provenance.message, ::testing::Not(HasSubstr("optimistic")));
}

}  // namespace
}  // namespace gpcv
