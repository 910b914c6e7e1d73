/// Likelihood, mean and variance at fixed hyper-parameters against scikit-learn's GaussianProcessRegressor
/// (tests/references/make_sklearn_references.py).
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "gpcv/posterior.hpp"
#include "trainers/likelihood/likelihood.hpp"

namespace gpcv {
namespace {

constexpr double noise = 0.15;
const std::vector<std::pair<std::string, Index>> cases{
    {"se(l=0.7, s2=1.3)", 1},
    {"se(l=[0.5,2,1.1], s2=0.8)", 3},
    {"matern12(l=0.9, s2=1.1)", 2},
    {"matern32(l=[0.9,0.4], s2=1.1)", 2},
    {"matern52(l=0.6, s2=2)", 2},
    {"rq(l=0.8, alpha=0.6, s2=1.4)", 2},
    {"periodic(l=1.2, p=1.7, s2=0.9)", 1},
    {"linear(s2=0.5) + const(s2=0.3)", 2},
    {"se(l=3, s2=1.5) + se(l=4, s2=0.7) * periodic(l=1.1, p=2, s2=1:fixed)", 1}};

Matrix inputs(Index n, Index d, double shift) {
  Matrix x(n, d);
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < d; ++c) {
      const auto row = static_cast<double>(i), column = static_cast<double>(c);
      x(i, c) = 3 * std::sin(1.7 * row + 0.9 * column * row + 2.3 * column + shift);
    }
  }
  return x;
}

/// Reference values by case and quantity.
std::map<std::size_t, std::map<std::string, std::vector<double>>> references() {
  std::map<std::size_t, std::map<std::string, std::vector<double>>> table;
  std::ifstream file(GPCV_SOURCE_DIR "/tests/references/sklearn.csv");
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string number, quantity, index, value;
    std::getline(cells, number, ',');
    std::getline(cells, quantity, ',');
    std::getline(cells, index, ',');
    std::getline(cells, value, ',');
    table[std::stoul(number)][quantity].push_back(std::stod(value));
  }
  return table;
}

TEST(SklearnParity, LikelihoodMeanAndVarianceAgreeToEightDigits) {
  const auto expected = references();
  ASSERT_EQ(expected.size(), cases.size());
  for (std::size_t number = 0; number < cases.size(); ++number) {
    const auto& [text, d] = cases[number];
    const auto& reference = expected.at(number);
    Model model;
    model.x = inputs(40, d, 0);
    model.y.resize(40);
    for (Index i = 0; i < 40; ++i)
      model.y(i) = std::sin(model.x.row(i).sum()) + 0.3 * std::cos(3.0 * static_cast<double>(i));
    model.scaling = Standardization::identity(d);
    model.kernel = Kernel::parse(text).bind(d);
    model.noise = noise;
    model.weights = posterior_weights({model.x, model.y, model.kernel, {.variance = noise}}, {});

    const double likelihood = -negative_log_likelihood(model.kernel, noise, model.x, model.y, true, 1).value;
    EXPECT_NEAR(likelihood, reference.at("likelihood")[0], 1e-8) << text;
    // scikit-learn's variance is that of the function without the noise.
    const Prediction found = Posterior(model, {}).predict(inputs(7, d, 0.5), {.latent = true});
    for (Index i = 0; i < 7; ++i) {
      EXPECT_NEAR(found.mean(i), reference.at("mean")[static_cast<std::size_t>(i)], 1e-8) << text;
      EXPECT_NEAR(found.variance(i), reference.at("variance")[static_cast<std::size_t>(i)], 1e-8) << text;
    }
  }
}

}  // namespace
}  // namespace gpcv
