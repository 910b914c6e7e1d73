/// A thousand small problems as the world sends them: whatever they look like, a fit ends with a status and numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "gpcv/error.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv {
namespace {

constexpr int shares = 10, problems_per_share = 100;

const std::vector<std::string> kernels{"se",
                                       "se(ard)",
                                       "matern12",
                                       "matern32(ard)",
                                       "matern52",
                                       "rq",
                                       "rq(ard)",
                                       "linear",
                                       "se + linear",
                                       "lp",
                                       "periodic",
                                       "se + lp",
                                       "se * periodic",
                                       "se(ard) + matern12(l=0.1)",
                                       "se(l=1:fixed)",
                                       "se(s2=1:fixed) + const",
                                       "se(l=1 in [0.1, 10], s2=1 in [0.5, 2])",
                                       "se(l=1e-9)",
                                       "matern32(l=1e9, s2=1e-6)"};

double wild_scale(Random& random) { return std::pow(10, random.uniform(-12, 12)); }

struct Case {
  Dataset data;
  std::string kernel, noise, description;
};

Case random_case(std::uint64_t seed) {
  Random random(seed);
  const auto n = static_cast<Index>(std::lround(std::exp(random.uniform(std::log(5), std::log(300)))));
  const Index d = 1 + static_cast<Index>(random.below(6));
  Case made;
  made.description = fmt::format("seed {}, n {}, d {}", seed, n, d);
  Dataset& data = made.data;
  data.x.resize(n, d);
  const bool grid = random.below(4) == 0;
  for (double& v : data.x.reshaped()) v = grid ? static_cast<double>(random.below(6)) : random.normal();
  const auto shape = random.below(5);
  data.y.resize(n);
  for (Index i = 0; i < n; ++i) {
    const double t = data.x.row(i).sum();
    data.y(i) = shape == 0   ? random.normal()
                : shape == 1 ? std::sin(2 * t)
                : shape == 2 ? t
                : shape == 3 ? (t > 0 ? 1 : 0)
                             : std::sin(t) + 0.3 * random.normal();
  }
  const auto happens = [&](std::uint64_t one_in, const char* what) {
    const bool yes = random.below(one_in) == 0;
    if (yes) made.description += std::string(", ") + what;
    return yes;
  };
  if (happens(3, "equal rows")) {
    for (Index i = n / 2; i < n; ++i)
      data.x.row(i) = data.x.row(static_cast<Index>(random.below(static_cast<std::uint64_t>(n) / 2)));
  }
  if (happens(10, "equal rows and targets")) {
    data.x.bottomRows(n / 2) = data.x.topRows(n / 2);
    data.y.tail(n / 2) = data.y.head(n / 2);
  }
  if (happens(4, "outliers in y"))
    data.y(static_cast<Index>(random.below(static_cast<std::uint64_t>(n)))) = 1e4 * random.normal();
  if (happens(6, "outliers in x")) data.x(0, 0) = 1e6;
  if (happens(5, "a constant column")) data.x.col(d - 1).setConstant(random.normal());
  if (happens(40, "nothing but constant columns")) data.x.setConstant(3);
  if (happens(40, "a constant target")) data.y.setConstant(random.normal());
  if (happens(20, "a target that hardly varies")) {
    data.y.setConstant(1);
    data.y(n / 2) = 1 + 1e-12;
  }
  if (happens(3, "wild x")) {
    for (Index c = 0; c < d; ++c) data.x.col(c) *= wild_scale(random);
  }
  if (happens(3, "wild y")) data.y *= wild_scale(random);
  if (happens(10, "a large offset")) data.y.array() += 1e9 * data.y.cwiseAbs().maxCoeff();
  for (Index c = 0; c < d; ++c) {
    data.columns.features.push_back(fmt::format("x{}", c));
    data.columns.feature_indices.push_back(c);
  }
  data.columns.target = "y";
  data.columns.target_index = d;
  data.columns.table_columns = d + 1;
  made.kernel = kernels[random.below(kernels.size())];
  made.noise = random.below(8) == 0 ? "1e-10:fixed" : random.below(8) == 0 ? "0.1:fixed" : "";
  made.description += fmt::format(", {}, noise '{}'", made.kernel, made.noise);
  return made;
}

/// What Dataset's contract refuses: a target that does not vary.
bool may_be_refused(const Dataset& data) {
  const double largest = data.y.cwiseAbs().maxCoeff();
  return data.y.maxCoeff() - data.y.minCoeff() <= 1e-9 * largest;
}

void expect_numbers(const FitResult& result, const Case& of) {
  const Model& model = result.model;
  EXPECT_NE(model.provenance.status, Status::not_run);
  EXPECT_NE(model.provenance.message, "");
  for (const Parameter& p : model.kernel.parameters()) {
    EXPECT_TRUE(std::isfinite(p.value) && p.value > 0) << p.name << " = " << p.value;
  }
  EXPECT_TRUE(std::isfinite(model.noise) && model.noise > 0) << "noise = " << model.noise;
  EXPECT_EQ(model.weights.size(), of.data.rows());
  EXPECT_TRUE(model.weights.allFinite());
  if (!std::isfinite(model.provenance.cv_rmse)) {
    EXPECT_TRUE(std::isnan(model.provenance.cv_rmse)) << model.provenance.cv_rmse;
    EXPECT_NE(model.provenance.message.find("cross-validation error"), std::string::npos) << model.provenance.message;
  }
  EXPECT_TRUE(std::isfinite(model.error_scale.factor) && model.error_scale.factor > 0);
  const Prediction prediction = Posterior(model, {}).predict(of.data.x.topRows(3));
  EXPECT_TRUE(prediction.mean.allFinite());
  EXPECT_TRUE(prediction.variance.allFinite());
  EXPECT_GE(prediction.variance.minCoeff(), 0);
}

class Robustness : public testing::TestWithParam<int> {};

TEST_P(Robustness, AnyProblemEndsWithAStatusAndFiniteNumbers) {
  for (int i = 0; i < problems_per_share; ++i) {
    const Case problem = random_case(static_cast<std::uint64_t>(1000 + GetParam() * problems_per_share + i));
    SCOPED_TRACE(problem.description);
    FitOptions options;
    options.kernel = Kernel::parse(problem.kernel);
    if (!problem.noise.empty()) options.noise = Noise::parse(problem.noise);
    options.train.compute.threads = 1;
    try {
      expect_numbers(fit(problem.data, options), problem);
    } catch (const InputError& error) {
      EXPECT_TRUE(may_be_refused(problem.data)) << "refused: " << error.what();
    } catch (const std::exception& error) {
      ADD_FAILURE() << "threw: " << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shares, Robustness, testing::Range(0, shares));

}  // namespace
}  // namespace gpcv
