/// Predictions without a factorisation against predictions with one.
#include <gtest/gtest.h>

#include <cmath>

#include "evaluation/conditioning.hpp"
#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"
#include "support/random_kernel.hpp"

namespace gpcv {
namespace {

Model smooth_model(Index n, double noise, const std::string& kernel, const ComputeOptions& compute) {
  Random random(141);
  Model model;
  model.x = random_inputs(random, n, 2);
  model.y = (model.x.col(0).array() * 2).sin() + model.x.col(1).array() * 0.5;
  for (double& y : model.y) y += std::sqrt(noise) * random.normal();
  model.scaling = Standardization::identity(2);
  model.kernel = Kernel::parse(kernel).bind(2);
  model.noise = noise;
  model.weights = posterior_weights({model.x, model.y, model.kernel, {.variance = noise}}, compute);
  return model;
}

const ComputeOptions dense{.threads = 2, .solver = Solver::cholesky};

TEST(IterativePrediction, MeanAndExactVarianceMatchCholesky) {
  Random random(142);
  const Matrix x = random_inputs(random, 40, 2);
  for (double noise : {1e-1, 1e-4}) {
    for (Precision precision : {Precision::double_, Precision::mixed}) {
      const ComputeOptions iterative{.precision = precision, .threads = 2, .solver = Solver::cg};
      const Model reference = smooth_model(3000, noise, "se(l=0.8)", dense);
      const Model model = smooth_model(3000, noise, "se(l=0.8)", iterative);
      const VarianceMethod exact{.kind = VarianceMethod::Kind::exact};
      const Prediction expected = Posterior(reference, dense).predict(x, {.variance = exact});
      const Prediction found = Posterior(model, iterative).predict(x, {.variance = exact});
      EXPECT_LT((found.mean - expected.mean).norm(), 1e-5 * expected.mean.norm()) << noise;
      EXPECT_LT(((found.variance - expected.variance).array() / expected.variance.array()).abs().maxCoeff(), 1e-5)
          << noise;
    }
  }
}

TEST(IterativePrediction, NeighbourVarianceIsAnUpperBoundAndClose) {
  Random random(143);
  const Matrix x = random_inputs(random, 60, 2);
  for (double noise : {1e-1, 1e-2, 1e-4}) {
    const Model model = smooth_model(3000, noise, "matern52(l=0.8)", dense);
    const Posterior posterior(model, dense);
    const Vector exact =
        posterior.predict(x, {.latent = true, .variance = {.kind = VarianceMethod::Kind::exact}}).variance;
    double previous = std::numeric_limits<double>::infinity();
    for (Index neighbours : {64, 256, 1024}) {
      const Vector near =
          posterior
              .predict(
                  x, {.latent = true, .variance = {.kind = VarianceMethod::Kind::neighbours, .neighbours = neighbours}})
              .variance;
      EXPECT_GE(((near - exact).array() / exact.array()).minCoeff(), -1e-6);
      const double ratio = (near.array() / exact.array()).mean();
      EXPECT_LE(ratio, previous);
      previous = ratio;
    }
    EXPECT_LT(previous, 1.3) << "noise " << noise;
  }
}

TEST(IterativePrediction, AllNeighboursAreExact) {
  Random random(144);
  const Matrix x = random_inputs(random, 10, 2);
  const Model model = smooth_model(100, 0.01, "se", dense);
  const Posterior posterior(model, dense);
  const Vector exact = posterior.predict(x, {.variance = {.kind = VarianceMethod::Kind::exact}}).variance;
  const Vector near =
      posterior.predict(x, {.variance = {.kind = VarianceMethod::Kind::neighbours, .neighbours = 5000}}).variance;
  EXPECT_LT((near - exact).norm(), 1e-9 * exact.norm());
}

TEST(IterativePrediction, CrossValidationMatchesTheInverse) {
  const Model model = smooth_model(600, 1e-2, "se(l=0.8)", dense);
  const Problem problem{model.x, model.y, model.kernel, {.variance = model.noise}};
  const ComputeOptions iterative{.precision = Precision::mixed, .threads = 2, .solver = Solver::cg};
  for (const Folds& folds : {Folds::random(600, 5, 1), Folds::holdout(600, 0.3, 2)}) {
    const Vector expected = cross_validation_residuals(problem, folds, dense);
    const Vector found = cross_validation_residuals(problem, folds, iterative);
    for (Index i = 0; i < 600; ++i) {
      ASSERT_EQ(std::isnan(expected(i)), std::isnan(found(i)));
      if (std::isnan(expected(i))) continue;
      EXPECT_NEAR(found(i), expected(i), 1e-5);
    }
  }
}

TEST(IterativePrediction, AutomaticVarianceIsExactWhereThatIsCheap) {
  Random random(145);
  const Matrix x = random_inputs(random, 5, 2);
  const Model model = smooth_model(300, 0.01, "se", dense);
  const Posterior posterior(model, {.threads = 1});
  EXPECT_EQ(posterior.predict(x).variance,
            posterior.predict(x, {.variance = {.kind = VarianceMethod::Kind::exact}}).variance);
}

TEST(IterativePrediction, MethodsAreParsedAndPrinted) {
  for (const char* text : {"auto", "exact", "neighbours:256"}) EXPECT_EQ(VarianceMethod::parse(text).to_string(), text);
  for (const char* bad : {"", "near", "neighbours", "neighbours:", "neighbours:0", "neighbours:-3", "neighbours:2x"}) {
    EXPECT_THROW(VarianceMethod::parse(bad), InputError) << bad;
  }
}

TEST(IterativePrediction, ASolveTooHardForIterationsFactorisesWhereThatFitsAndSaysSoWhereNot) {
  Random random(146);
  const Problem problem{random_inputs(random, 400, 1),
                        random_inputs(random, 400, 1),
                        Kernel::parse("se(l=1)").bind(1),
                        {.variance = 1e-9}};
  ComputeOptions iterative{.threads = 1, .solver = Solver::cg, .memory = std::size_t{64} << 20, .rank = 0};
  EXPECT_TRUE(posterior_weights(problem, iterative).allFinite());
  iterative.memory = std::size_t{1} << 20;
  EXPECT_THROW(posterior_weights(problem, iterative), NumericalError);
}

TEST(IterativePrediction, StopsWhenAsked) {
  const Model model = smooth_model(300, 1e-2, "se", dense);
  ComputeOptions iterative{.threads = 1, .solver = Solver::cg, .memory = 0, .rank = 0};
  int asked = 0;
  iterative.stop = [&] { return ++asked > 2; };
  EXPECT_THROW(posterior_weights({model.x, model.y, model.kernel, {.variance = 1e-4}}, iterative), Interrupted);
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace gpcv
