#include "gpcv/posterior.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "backends/dense_kernel.hpp"
#include "gpcv/error.hpp"
#include "support/fake_memory.hpp"
#include "support/random_kernel.hpp"

namespace gpcv {
namespace {

/// A model with given hyper-parameters on random data, whose units are far from standardised.
Model random_model(Random& random, Index n, Index d, const std::string& kernel, double noise) {
  Dataset data;
  data.x = random_inputs(random, n, d).array() * 7 + 100;
  data.y = random_inputs(random, n, 1).array() * 20 - 50;
  Model model;
  model.scaling = Standardization::fit(data.x, data.y);
  model.x = model.scaling.inputs(data.x);
  model.y = model.scaling.target(data.y);
  model.kernel = Kernel::parse(kernel).bind(d);
  model.noise = noise;
  model.weights = posterior_weights({model.x, model.y, model.kernel, {.variance = noise}}, {});
  return model;
}

/// Predictions by the textbook formulas with an explicit inverse.
struct Textbook {
  Vector mean;
  Matrix covariance;

  Textbook(const Model& model, const Matrix& x, bool latent) {
    const KernelProgram program = model.kernel.lower();
    const Matrix points = model.scaling.inputs(x);
    const Index n = model.x.rows(), m = x.rows();
    const Matrix c = dense_kernel(program, model.x, 1) + model.noise * Matrix::Identity(n, n);
    const Matrix cross = dense_kernel(program, points, model.x, 1);
    const Matrix inverse = c.inverse();
    const double unit = model.scaling.y_scale;
    mean = (cross * inverse * model.y) * unit + Vector::Constant(m, model.scaling.y_mean);
    covariance = dense_kernel(program, points, 1) - cross * inverse * cross.transpose();
    if (!latent) covariance += model.noise * Matrix::Identity(m, m);
    covariance *= unit * unit;
  }
};

TEST(Posterior, MatchesTheTextbookFormulas) {
  Random random(91);
  for (const char* kernel : {"se", "matern32(ard)", "se + lp(l=2, p=1.5)", "linear + const + rq"}) {
    const Model model = random_model(random, 60, 2, kernel, 0.2);
    const Posterior posterior(model, {.threads = 2});
    const Matrix x = random_inputs(random, 25, 2).array() * 7 + 100;
    for (bool latent : {false, true}) {
      const Textbook expected(model, x, latent);
      const Prediction found = posterior.predict(x, {.latent = latent});
      EXPECT_LT((found.mean - expected.mean).norm(), 1e-8 * expected.mean.norm()) << kernel;
      EXPECT_LT((found.variance - expected.covariance.diagonal()).norm(), 1e-8 * expected.covariance.norm()) << kernel;
      EXPECT_LT((posterior.covariance(x, latent) - expected.covariance).norm(), 1e-8 * expected.covariance.norm());
    }
    EXPECT_LT((posterior.predict(x, {.mean_only = true}).mean - posterior.predict(x).mean).norm(), 1e-8);
    EXPECT_EQ(posterior.predict(x, {.mean_only = true}).variance.size(), 0);
  }
}

TEST(Posterior, BatchesDoNotChangeTheAnswer) {
  Random random(92);
  const Model model = random_model(random, 20, 1, "se", 0.1);
  const Posterior posterior(model, {});
  const Matrix x = random_inputs(random, 20'000, 1).array() * 7 + 100;
  const Prediction whole = posterior.predict(x);
  for (Index i : {Index{0}, Index{8191}, Index{8192}, Index{19'999}}) {
    const Prediction one = posterior.predict(x.row(i));
    EXPECT_NEAR(one.mean(0), whole.mean(i), 1e-10 * std::abs(whole.mean(i)));
    EXPECT_NEAR(one.variance(0), whole.variance(i), 1e-10 * whole.variance(i));
  }
}

TEST(Posterior, VarianceIsNeverNegative) {
  Random random(93);
  const Model model = random_model(random, 200, 1, "se(l=3)", 1e-10);
  const Posterior posterior(model, {});
  const Prediction at_data =
      posterior.predict(model.x.array() * model.scaling.x_scale(0) + model.scaling.x_mean(0), {.latent = true});
  EXPECT_GE(at_data.variance.minCoeff(), 0);
}

TEST(Posterior, SamplesHaveThePosteriorsMeanAndCovariance) {
  Random random(94);
  const Model model = random_model(random, 30, 1, "se", 0.1);
  const Posterior posterior(model, {});
  const Matrix x = Vector::LinSpaced(4, 95, 105);
  const Index count = 40'000;
  const Matrix samples = posterior.sample(x, count, 5);
  const Matrix expected = posterior.covariance(x);
  const Vector mean = samples.rowwise().mean();
  const Matrix centred = samples.colwise() - mean;
  const Matrix covariance = centred * centred.transpose() / static_cast<double>(count);
  const double scale = std::sqrt(expected.diagonal().maxCoeff());
  EXPECT_LT((mean - posterior.predict(x).mean).cwiseAbs().maxCoeff(), 5 * scale / std::sqrt(count));
  EXPECT_LT((covariance - expected).cwiseAbs().maxCoeff(), 7 * scale * scale / std::sqrt(count));
  EXPECT_EQ(posterior.sample(x, 3, 5), posterior.sample(x, 3, 5));
  EXPECT_NE(posterior.sample(x, 3, 5), posterior.sample(x, 3, 6));
}

TEST(Posterior, RefusesOtherInputs) {
  Random random(95);
  const Model model = random_model(random, 30, 2, "se", 0.1);
  const Posterior posterior(model, {});
  EXPECT_THROW(posterior.predict(Matrix::Ones(3, 1)), InputError);
  EXPECT_THROW(posterior.predict(Matrix::Constant(3, 2, std::nan(""))), InputError);
  EXPECT_EQ(posterior.predict(Matrix(0, 2)).mean.size(), 0);
}

TEST(Posterior, TakesAModelOverOrSharesIt) {
  Random random(4);
  Model model = random_model(random, 20, 2, "se(ard)", 0.1);
  const auto shared = std::make_shared<const Model>(model);
  const double* inputs = model.x.data();
  const Posterior owner(std::move(model), {}), sharer(shared, {});
  EXPECT_EQ(owner.model().x.data(), inputs);
  EXPECT_EQ(&sharer.model(), shared.get());
  const Matrix x = Matrix::Constant(1, 2, 100);
  EXPECT_EQ(owner.predict(x).mean, sharer.predict(x).mean);
}

TEST(Posterior, FindsTheVariancesOfAllBatchesAlikeWhateverElseTakesMemory) {
  const FakeMemory machine(std::size_t{8} << 30);
  Model model;
  model.x = Matrix::Zero(5000, 1);
  model.kernel = Kernel::parse("se").bind(1);
  const Posterior posterior(model, {});
  EXPECT_EQ(posterior.resolved({}, 8192).to_string(), "exact");
  machine.set_free(std::size_t{64} << 20);  // the factor's 200 MB would no longer fit
  EXPECT_EQ(posterior.resolved({}, 8192).to_string(), "exact");
}

}  // namespace
}  // namespace gpcv
