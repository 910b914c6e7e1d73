#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/random.hpp"
#include "gpcv/prediction_table.hpp"

namespace gpcv {
namespace {

/// A model of a number and a category with three levels.
Model model_of_levels() {
  Random random(3);
  const Index n = 30;
  Matrix x = Matrix::Zero(n, 4);
  Vector y(n);
  for (Index i = 0; i < n; ++i) {
    x(i, 0) = random.normal();
    x(i, 1 + i % 3) = 1;
    y(i) = std::sin(x(i, 0)) + 3.0 * static_cast<double>(i % 3) + 0.1 * random.normal();
  }
  Model model;
  model.columns = {{"x", "c=a", "c=b", "c=c"}, {0, 1, 1, 1}, "y", 2, 3, true, {"", "a", "b", "c"}};
  model.scaling = Standardization::fit(x, y);
  model.x = model.scaling.inputs(x);
  model.y = model.scaling.target(y);
  model.kernel = Kernel::parse("se(ard)").bind(4);
  model.noise = 0.05;
  model.weights = posterior_weights({model.x, model.y, model.kernel, {.variance = model.noise}}, {});
  return model;
}

TEST(RowMixture, AnUnseenLevelIsTheMixtureOfAllLevels) {
  const Posterior posterior(model_of_levels(), {.threads = 1});
  const Matrix levels{{0.3, 1, 0, 0}, {0.3, 0, 1, 0}, {0.3, 0, 0, 1}};
  const Prediction each = posterior.predict(levels);
  const Prediction unseen = predict_rows(posterior, Matrix{{0.3, 0, 0, 0}, {0.3, 0, 1, 0}});
  const double mean = each.mean.mean();
  EXPECT_NEAR(unseen.mean(0), mean, 1e-12);
  EXPECT_NEAR(unseen.variance(0), each.variance.mean() + (each.mean.array() - mean).square().mean(), 1e-12);
  EXPECT_NEAR(unseen.mean(1), each.mean(1), 1e-12);
  EXPECT_NEAR(unseen.variance(1), each.variance(1), 1e-12);
}

TEST(RowMixture, ARowWithAMissingInputHasNoPrediction) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const Model model = model_of_levels();
  const Posterior posterior(model, {.threads = 1});
  const Prediction found = predict_rows(posterior, Matrix{{nan, 1, 0, 0}, {0.3, 1, 0, 0}, {0.3, nan, nan, nan}});
  EXPECT_TRUE(std::isnan(found.mean(0)) && std::isnan(found.variance(0)) && std::isnan(found.mean(2)));
  EXPECT_NEAR(found.mean(1), posterior.predict(Matrix{{0.3, 1, 0, 0}}).mean(0), 1e-12);

  PredictionColumns columns;
  columns.components = true;
  const PredictionTable table(model, posterior, columns);
  RowBatch rows;
  rows.x = Matrix{{nan, 1, 0, 0}};
  EXPECT_TRUE(table.predict(rows).array().isNaN().all()) << "no row of the batch is complete";
}

}  // namespace
}  // namespace gpcv
