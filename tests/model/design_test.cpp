#include "model/design.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "backends/dense_kernel.hpp"
#include "gpcv/effects.hpp"
#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"
#include "support/random_kernel.hpp"

namespace gpcv {
namespace {

Dataset named(Matrix x, Vector y, Vector noise = {}) {
  Dataset data{std::move(x), std::move(y), {}};
  for (Index c = 0; c < data.x.cols(); ++c) {
    data.columns.features.push_back("x" + std::to_string(c));
    data.columns.feature_indices.push_back(c);
  }
  data.columns.target = "y";
  data.columns.target_index = data.x.cols();
  data.columns.table_columns = data.x.cols() + 1;
  data.noise = std::move(noise);
  return data;
}

Dataset wave(Index n, std::uint64_t seed, double slope = 0, double level = 0) {
  Random random(seed);
  Matrix x(n, 2);
  Vector y(n);
  for (Index i = 0; i < n; ++i) {
    x(i, 0) = random.uniform(-2, 2);
    x(i, 1) = random.uniform(10, 30);
    y(i) = std::sin(3 * x(i, 0)) + slope * x(i, 1) + level + 0.1 * random.normal();
  }
  return named(x, y);
}

TEST(RowsOwnNoise, GivesThePosteriorOfTheTextbook) {
  Random random(1);
  Dataset data = wave(60, 2);
  data.noise.resize(60);
  for (double& s : data.noise) s = std::exp(random.uniform(-3, 0));
  FitOptions options;
  options.kernel = Kernel::parse("se(l=[0.5,2]:fixed, s2=1.3:fixed)");
  options.standardize = false;
  const Model model = fit(data, options).model;
  // (K + diag σ_i²)⁻¹ y, and k** − k*ᵀ(K + diag σ_i²)⁻¹k* + σ*²
  const Kernel kernel = options.kernel.bind(2);
  Matrix c = dense_kernel(kernel.lower(), data.x, 1);
  c.diagonal() += data.noise.cwiseAbs2();
  const Matrix at = wave(7, 3).x;
  const Vector noise = Vector::LinSpaced(7, 0.1, 0.7);
  const Matrix across = dense_kernel(kernel.lower(), at, data.x, 1);
  const Vector mean = across * c.ldlt().solve(data.y);
  Model uncalibrated = model;
  uncalibrated.error_scale = {};
  const Prediction p = Posterior(uncalibrated, {}).predict(at, {.noise = noise});
  EXPECT_LT((p.mean - mean).norm(), 1e-8 * mean.norm());
  for (Index i = 0; i < 7; ++i) {
    const Vector k = across.row(i);
    EXPECT_NEAR(p.variance(i), 1.3 - k.dot(c.ldlt().solve(k)) + noise(i) * noise(i), 1e-8);
  }
  EXPECT_LT((training_targets(model) - data.y).norm(), 1e-12 * data.y.norm());
}

TEST(RowsOwnNoise, HeldOutPredictionsAreInTheTargetsUnits) {
  Random random(4);
  Dataset data = wave(80, 5);
  data.noise.resize(80);
  for (double& s : data.noise) s = std::exp(random.uniform(-3, 0));
  FitOptions options;
  options.kernel = Kernel::parse("se(l=[0.5,2]:fixed, s2=1.3:fixed)");
  options.standardize = false;
  const FitResult result = fit(data, options);
  const Fold& fold = result.folds.folds[2];
  const Kernel kernel = options.kernel.bind(2);
  Matrix c = dense_kernel(kernel.lower(), data.x(fold.training, Eigen::all), 1);
  c.diagonal() += Vector(data.noise(fold.training)).cwiseAbs2();
  const Matrix across =
      dense_kernel(kernel.lower(), data.x(fold.validation, Eigen::all), data.x(fold.training, Eigen::all), 1);
  const Vector mean = across * c.ldlt().solve(Vector(data.y(fold.training)));
  EXPECT_LT((Vector(result.model.provenance.held_out.mean(fold.validation)) - mean).norm(), 1e-8 * mean.norm());
  const Index row = fold.validation[3];
  const Vector k = across.row(3);
  EXPECT_NEAR(result.model.provenance.held_out.variance(row),
              1.3 - k.dot(c.ldlt().solve(k)) + std::pow(data.noise(row), 2), 1e-8);
}

TEST(RowsOwnNoise, WeightsOfOneChangeNothing) {
  Dataset data = wave(70, 6);
  FitOptions options;
  options.kernel = Kernel::parse("se(l=[1,1], s2=1)");
  options.noise = Noise::parse("0.1");
  options.train.restarts = 1;
  options.train.start = Start::values;
  const Model plain = fit(data, options).model;
  data.noise = Vector::Constant(70, 3.7);
  data.columns.noise_is_weight = true;
  const Model weighted = fit(data, options).model;
  EXPECT_NEAR(weighted.provenance.cv_rmse, plain.provenance.cv_rmse, 1e-6 * plain.provenance.cv_rmse);
  EXPECT_NEAR(weighted.noise, plain.noise, 1e-4 * plain.noise);
  const Matrix at = wave(5, 7).x;
  EXPECT_LT((Posterior(plain, {}).predict(at).mean - Posterior(weighted, {}).predict(at).mean).norm(), 1e-4);
}

TEST(RowsOwnNoise, TheFunctionDoesNotKnowTheWeightOfANewRow) {
  Random random(3);
  Dataset data = wave(150, 8);
  data.noise.resize(150);
  for (Index i = 0; i < 150; ++i) {
    data.noise(i) = std::exp(random.uniform(-1, 1));
    data.y(i) += 0.3 * data.noise(i) * random.normal();
  }
  data.columns.noise_is_weight = true;
  const Model model = fit(data, {}).model;
  const Posterior posterior(model, {});
  Matrix at(4, 2);
  at.rowwise() = data.x.row(0);
  Vector noise(4);
  noise << 0.1, 1, 10, 100;
  const Vector function = posterior.predict(at, {.latent = true, .noise = noise}).variance;
  const Vector whole = posterior.predict(at, {.noise = noise}).variance;
  for (Index i = 0; i < 4; ++i) {
    EXPECT_GT(function(i), 0);
    EXPECT_NEAR(function(i), function(0), 1e-9 * function(0)) << noise(i);
  }
  // Far from 0 the variance of a row is proportional to its noise, with the calibration of all rows.
  EXPECT_NEAR(whole(3) / whole(2), 100, 2);
}

TEST(RowsOwnNoise, HelpsWhereNoiseDiffers) {
  // Half of the rows are very noisy, and a model that knows which rows are noisy predicts better.
  double with = 0, without = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(100 + seed);
    Dataset data = wave(120, 200 + seed);
    Vector noise(120);
    for (Index i = 0; i < 120; ++i) {
      noise(i) = i % 2 == 0 ? 0.1 : 2;
      data.y(i) += noise(i) * random.normal();
    }
    Dataset test = wave(200, 300 + seed);
    FitOptions options;
    without += evaluate(Posterior(fit(data, options).model, {}).predict(test.x), test.y).rmse;
    data.noise = noise;
    with += evaluate(Posterior(fit(data, options).model, {}).predict(test.x), test.y).rmse;
  }
  EXPECT_LT(with, 0.75 * without);
}

TEST(RowsOwnNoise, IsToldAmongTheSettings) {
  Dataset data = wave(40, 9);
  FitOptions options;
  options.train.restarts = 1;
  const auto told = [&] {
    for (const auto& [name, value] : fit(data, options).model.provenance.settings) {
      if (name == "noise") return value;
    }
    return std::string();
  };
  EXPECT_EQ(told(), "trained");
  data.noise = Vector::Constant(40, 0.3);
  EXPECT_EQ(told(), "known of each row");
  data.columns.noise_is_weight = true;
  EXPECT_EQ(told(), "trained");
}

TEST(MeanFunction, LinearFindsTheSlopeOfDataThatRise) {
  const Dataset data = wave(150, 8, 0.7, 40);
  FitOptions options;
  options.mean = Mean::linear;
  const Model model = fit(data, options).model;
  const auto coefficients = mean_coefficients(model);
  ASSERT_EQ(coefficients.size(), 3u);
  EXPECT_EQ(coefficients[0].name, "constant");
  EXPECT_EQ(coefficients[2].name, "x1");
  EXPECT_NEAR(coefficients[2].value, 0.7, 0.1);
  // Far from the data, the mean follows the line instead of returning to the average.
  Matrix far(1, 2);
  far << 0, 100;
  EXPECT_NEAR(Posterior(model, {}).predict(far).mean(0), 0.7 * 100 + 40, 12);
}

TEST(MeanFunction, ConstantIsTheGeneralisedLeastSquaresMean) {
  const Dataset data = wave(60, 9, 0, 5);
  FitOptions options;
  options.kernel = Kernel::parse("se(l=[0.5,2]:fixed, s2=1.3:fixed)");
  options.noise = Noise::parse("0.04:fixed");
  options.mean = Mean::constant;
  options.standardize = false;
  const Model model = fit(data, options).model;
  Matrix c = dense_kernel(options.kernel.bind(2).lower(), data.x, 1);
  c.diagonal().array() += 0.04;
  const Vector one = Vector::Ones(60);
  const double beta = one.dot(c.ldlt().solve(data.y)) / one.dot(c.ldlt().solve(one));
  // The prior is vague but not infinitely wide.
  EXPECT_NEAR(mean_coefficients(model).at(0).value, beta, 2e-3 * std::abs(beta));
}

TEST(MeanFunction, IsEstimatedInEachFoldFromItsOwnRows) {
  // The prediction of a held-out row must not change with its own target.
  Dataset data = wave(50, 10, 0.5, 3);
  FitOptions options;
  options.kernel = Kernel::parse("se(l=[0.5,2]:fixed, s2=1.3:fixed)");
  options.noise = Noise::parse("0.04:fixed");
  options.mean = Mean::linear;
  options.standardize = false;
  const FitResult before = fit(data, options);
  const Fold& fold = before.folds.folds[1];
  // The sign changes keep the power of y, which scales the vague prior.
  for (Index row : fold.validation) data.y(row) = -data.y(row);
  const FitResult after = fit(data, options);
  EXPECT_LT((Vector(before.model.provenance.held_out.mean(fold.validation)) -
             Vector(after.model.provenance.held_out.mean(fold.validation)))
                .norm(),
            1e-9);
}

TEST(Components, AddUpToThePrediction) {
  const Dataset data = wave(80, 11, 0.4, 7);
  for (const Mean mean : {Mean::zero, Mean::constant, Mean::linear}) {
    for (const bool own_noise : {false, true}) {
      Dataset some = data;
      if (own_noise) some.noise = Vector::LinSpaced(80, 0.1, 0.5);
      FitOptions options;
      options.kernel = Kernel::parse("se(ard) + matern32(ard, on=[0]) * linear(on=[1])");
      options.mean = mean;
      options.train.max_iterations = 5;
      const Model model = fit(some, options).model;
      const Posterior posterior(model, {});
      const Matrix at = wave(9, 12).x;
      Vector sum = Vector::Constant(9, model.scaling.y_mean);
      const auto parts = posterior.components(at);
      for (const Component& part : parts) {
        sum += part.prediction.mean;
        EXPECT_GE(part.prediction.variance.minCoeff(), 0);
      }
      const Vector whole = posterior.predict(at).mean;
      EXPECT_LT((sum - whole).norm(), 1e-8 * whole.norm());
      EXPECT_EQ(parts.size(), 2 + (mean == Mean::zero ? 0u : mean == Mean::constant ? 1u : 2u));
      EXPECT_EQ(parts[0].name, "se");
      EXPECT_EQ(parts[1].name, "matern32*linear");
    }
  }
}

TEST(Components, OfOneSummandAreTheFunctionItself) {
  const Dataset data = wave(50, 13);
  const Model model = fit(data, {}).model;
  const Posterior posterior(model, {});
  const Matrix at = wave(6, 14).x;
  const Prediction latent = posterior.predict(at, {.latent = true});
  const auto parts = posterior.components(at);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_LT((parts[0].prediction.variance - latent.variance).norm(), 1e-8 * latent.variance.norm());
}

}  // namespace
}  // namespace gpcv
