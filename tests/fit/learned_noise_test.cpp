// Learned noise: what fit() makes of it, and what it refuses.
#include "fit/learned_noise.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/random.hpp"
#include "gpcv/diagnostics.hpp"
#include "gpcv/error.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/verdict.hpp"
#include "support/message_of.hpp"
#include "support/temporary_folder.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;

double deviation_at(double a) { return 0.1 * std::pow(10, (a + 1) / 2); }

/// A smooth function of two inputs with noise of a deviation from 0.1 to 1 over the first, or of 0.4 everywhere.
Dataset drawn(Index n, std::uint64_t seed, bool constant = false) {
  Random random(seed);
  Dataset data{Matrix(n, 2), Vector(n), {}};
  for (double& v : data.x.reshaped()) v = random.uniform(-1, 1);
  for (Index i = 0; i < n; ++i) {
    const double s = constant ? 0.4 : deviation_at(data.x(i, 0));
    data.y(i) = std::sin(3 * data.x(i, 0)) + data.x(i, 1) + s * random.normal();
  }
  data.columns.features = {"a", "b"};
  data.columns.feature_indices = {0, 1};
  data.columns.target = "y";
  data.columns.target_index = 2;
  data.columns.table_columns = 3;
  return data;
}

FitOptions with(NoiseModel model) {
  FitOptions options;
  options.kernel = Kernel::parse("se(ard)");
  options.noise_model = model;
  options.train.restarts = 1;
  return options;
}

/// Points along the first input.
Matrix along(Index points) {
  Matrix x = Matrix::Zero(points, 2);
  x.col(0) = Vector::LinSpaced(points, -0.9, 0.9);
  return x;
}

TEST(LearnedNoise, FollowsTheInputs) {
  const Dataset data = drawn(300, 1);
  const FitResult result = fit(data, with(NoiseModel::learned));
  const Model& model = result.model;
  const NoiseChoice& choice = model.provenance.noise_choice;
  EXPECT_TRUE(choice.learned);
  EXPECT_EQ(choice.asked, "learned");
  EXPECT_GE(choice.rounds, 1);
  EXPECT_GT(choice.gain, 3 * choice.gain_error);
  EXPECT_EQ(model.noise_process.inputs().front(), 0);
  const Matrix x = along(7);
  const Vector noise = noise_std(model, x);
  for (Index i = 0; i < x.rows(); ++i) EXPECT_NEAR(std::log(noise(i) / deviation_at(x(i, 0))), 0, 0.35) << x(i, 0);
  const Posterior posterior(model, {});
  const Prediction rows = posterior.predict(x), function = posterior.predict(x, {.latent = true});
  const Vector difference = (rows.variance - function.variance).cwiseSqrt();
  EXPECT_GT(difference(6), 4 * difference(0));
  EXPECT_LT((posterior.covariance(x).diagonal() - rows.variance).norm(), 1e-8 * rows.variance.norm());
  const NoiseRange range = noise_range(model);
  EXPECT_LT(range.low, 0.2);
  EXPECT_GT(range.high, 0.6);
  EXPECT_THAT(noise_in_words(model), HasSubstr("learned over a"));
  EXPECT_EQ(model.columns.noise, "");
  EXPECT_LT((training_targets(model) - data.y).norm(), 1e-9 * data.y.norm());
  EXPECT_THAT(message_of([&] { posterior.predict(x, {.noise = Vector::Ones(7)}); }), HasSubstr("learned its noise"));
}

TEST(LearnedNoise, IntervalsHoldNewRowsEverywhere) {
  Vector held = Vector::Zero(3), rows = Vector::Zero(3);
  for (std::uint64_t seed = 21; seed < 25; ++seed) {
    const FitResult learned = fit(drawn(300, seed), with(NoiseModel::automatic));
    ASSERT_TRUE(learned.model.provenance.noise_choice.learned) << seed;
    const Dataset fresh = drawn(2000, seed + 100);
    const Prediction p = Posterior(learned.model, {}).predict(fresh.x);
    const Vector z = p.standardised(fresh.y).cwiseAbs();
    for (Index i = 0; i < fresh.rows(); ++i) {
      const Index third = std::min(2, static_cast<int>(1.5 * (fresh.x(i, 0) + 1)));
      held(third) += z(i) <= interval_factor(0.95, p.degrees) ? 1 : 0;
      rows(third) += 1;
    }
  }
  for (Index third = 0; third < 3; ++third) EXPECT_NEAR(held(third) / rows(third), 0.95, 0.03) << third;
}

/// Noise of 0.1 in one half and 0.8 in the other, around a function with two levels. Constant noise makes the variance
/// of the function larger than the small noise.
TEST(LearnedNoise, SmallNoiseThatTheFunctionHidesIsFound) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Random random(seed);
    Dataset data = drawn(300, seed);
    for (Index i = 0; i < data.rows(); ++i) {
      data.x(i, 1) = random.uniform(-1, 1) > 0 ? 1 : 0;
      const double s = data.x(i, 0) < 0 ? 0.1 : 0.8;
      data.y(i) = std::sin(5 * (data.x(i, 0) + 1)) + data.x(i, 1) + s * random.normal();
    }
    FitOptions options = with(NoiseModel::automatic);
    options.kernel = Kernel::parse("matern32(ard) + linear(ard)");
    const Model model = fit(data, options).model;
    EXPECT_TRUE(model.provenance.noise_choice.learned) << seed;
    EXPECT_GT(model.provenance.noise_choice.gain, 0.4) << seed;
    EXPECT_NEAR(std::log(noise_range(model).low / 0.1), 0, 0.4) << seed;
    EXPECT_NEAR(std::log(noise_range(model).high / 0.8), 0, 0.4) << seed;
  }
}

TEST(LearnedNoise, AutoKeepsConstantNoise) {
  const Dataset data = drawn(200, 3, true);
  const FitResult plain = fit(data, with(NoiseModel::constant)), automatic = fit(data, with(NoiseModel::automatic));
  EXPECT_FALSE(automatic.model.provenance.noise_choice.learned);
  EXPECT_EQ(automatic.model.provenance.noise_choice.asked, "auto");
  EXPECT_EQ(automatic.model.weights, plain.model.weights);
  EXPECT_EQ(automatic.model.noise_reference, 0);
  EXPECT_THAT(noise_in_words(automatic.model), HasSubstr("constant"));
  EXPECT_EQ(noise_in_words(plain.model), "");
}

TEST(LearnedNoise, EqualTrainingsGiveEqualModels) {
  const Dataset data = drawn(150, 4);
  const Model a = fit(data, with(NoiseModel::learned)).model, b = fit(data, with(NoiseModel::learned)).model;
  EXPECT_EQ(a.noise_process.weights, b.noise_process.weights);
  EXPECT_EQ(a.weights, b.weights);
}

TEST(LearnedNoise, WorksWithTheOtherFolds) {
  Dataset data = drawn(200, 5);
  data.time = Vector::LinSpaced(200, 0, 1);
  for (Index i = 0; i < 200; ++i) data.labels.push_back(i % 20);
  FitOptions options = with(NoiseModel::learned);
  for (const FoldOptions& folds :
       {FoldOptions{.kind = FoldOptions::Kind::holdout, .fraction = 0.5}, FoldOptions{.count = 12},
        FoldOptions{.kind = FoldOptions::Kind::groups, .count = 4}, FoldOptions{.kind = FoldOptions::Kind::time}}) {
    options.folds = folds;
    const Model model = fit(data, options).model;
    ASSERT_TRUE(model.provenance.noise_choice.learned) << static_cast<int>(folds.kind);
    const Vector noise = noise_std(model, along(2));
    EXPECT_GT(noise(1), 2 * noise(0)) << static_cast<int>(folds.kind);
  }
}

TEST(LearnedNoise, GoesWithATransform) {
  Dataset data = drawn(250, 6);
  data.y = data.y.array().exp();
  FitOptions options = with(NoiseModel::learned);
  options.transform = TransformOptions::parse("log");
  const Model model = fit(data, options).model;
  const Vector noise = noise_std(model, along(2));
  EXPECT_NEAR(std::log(noise(0) / deviation_at(-0.9)), 0, 0.5) << "in units of the logarithm";
  EXPECT_NEAR(std::log(noise(1) / deviation_at(0.9)), 0, 0.5);
  EXPECT_GT(Posterior(model, {}).predict(along(2)).mean.minCoeff(), 0);
}

TEST(LearnedNoise, OuterFoldsRepeatIt) {
  FitOptions options = with(NoiseModel::learned);
  options.assess = Assess::nested;
  const Dataset data = drawn(200, 7);
  const Model model = fit(data, options).model;
  EXPECT_EQ(model.provenance.assessment, "nested");
  const HeldOutRows held = held_out_rows(model);
  EXPECT_NEAR(evaluate(held.prediction, held.y).coverage95, 0.95, 0.04);
  double low = 0, high = 0;
  for (Index i = 0; i < data.rows(); ++i) (data.x(i, 0) < 0 ? low : high) += held.prediction.variance(i);
  EXPECT_GT(high, 4 * low);
}

TEST(LearnedNoise, StartsFromAnEarlierModel) {
  const Dataset data = drawn(150, 8);
  FitOptions options = with(NoiseModel::learned);
  const Model first = fit(data, options).model;
  ASSERT_FALSE(first.noise_process.is_constant());
  options.warm = std::make_shared<Model>(first);
  EXPECT_FALSE(fit(data, options).model.noise_process.is_constant());
  options.noise_model = NoiseModel::constant;
  EXPECT_TRUE(fit(data, options).model.noise_process.is_constant());
}

TEST(LearnedNoise, EffectsShowIt) {
  const FitResult result = fit(drawn(200, 9), with(NoiseModel::learned));
  const Diagnostics seen = diagnostics_of(result.model, {});
  ASSERT_FALSE(seen.noise.empty());
  const NoiseEffect& e = seen.noise.front();
  EXPECT_EQ(seen.inputs[e.input].name, "a");
  EXPECT_GT(e.deviation.tail(1)(0), 3 * e.deviation(0));
  for (const Effect& effect : seen.effects) {
    if (effect.input != e.input) continue;
    const Vector noise = effect.rows.variance - effect.function.variance;
    EXPECT_GT(noise.tail(1)(0), 9 * noise(0)) << "the band of rows is as wide as the noise";
  }
}

TEST(LearnedNoise, FilesKeepIt) {
  const TemporaryFolder folder;
  const Model model = fit(drawn(150, 12), with(NoiseModel::learned)).model;
  ASSERT_FALSE(model.noise_process.is_constant());
  save(model, folder.path() / "model.h5");
  const Model read = load_model(folder.path() / "model.h5");
  EXPECT_EQ(read.noise_process.kernel, model.noise_process.kernel);
  const Prediction a = Posterior(model, {}).predict(along(5)), b = Posterior(read, {}).predict(along(5));
  EXPECT_EQ(a.variance, b.variance);
  EXPECT_EQ(noise_in_words(read), noise_in_words(model));
  Model broken = model;
  broken.noise_process.points.conservativeResize(Eigen::NoChange, 1);
  EXPECT_THAT(message_of([&] { save(broken, folder.path() / "broken.h5"); }), HasSubstr("points of the learned noise"));
}

TEST(LearnedNoise, RefusesWhatItCannotLearn) {
  Dataset data = drawn(60, 10);
  FitOptions options = with(NoiseModel::learned);
  options.noise = Noise::parse("0.1:fixed");
  EXPECT_THAT(message_of([&] { fit(data, options); }), HasSubstr("given or fixed"));
  options = with(NoiseModel::automatic);
  options.train.trainer = "likelihood";
  EXPECT_THAT(message_of([&] { fit(data, options); }), HasSubstr("trainer likelihood cannot learn the noise"));
  options = with(NoiseModel::learned);
  options.checkpoint = "some.ckpt";
  EXPECT_THAT(message_of([&] { fit(data, options); }), HasSubstr("a checkpoint holds one"));
  options = with(NoiseModel::learned);
  data.noise = Vector::Constant(60, 0.1);
  EXPECT_THAT(message_of([&] { fit(data, options); }), HasSubstr("the table states the noise"));
  EXPECT_THAT(message_of([&] { options.use_noise("learnt"); }), HasSubstr("learned or auto"));
}

TEST(LearnedNoise, FewRowsKeepConstantNoise) {
  const FitResult result = fit(drawn(12, 11), with(NoiseModel::learned));
  EXPECT_FALSE(result.model.provenance.noise_choice.learned);
}

}  // namespace
}  // namespace gpcv
