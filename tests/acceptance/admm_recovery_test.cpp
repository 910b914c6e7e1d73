/// The paper's synthetic problem in small: does training by cross-validation find the truth, and predict as well?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "gpcv/fit.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/synthetic.hpp"

namespace gpcv {
namespace {

constexpr Index rows = 500, test_rows = 20, every = rows / test_rows;
constexpr int trials = 11;

struct Split {
  Dataset train;
  Matrix test_x;
  Vector test_y;
};

/// A draw of which every 25th point is set aside.
Split drawn(std::uint64_t seed) {
  SyntheticOptions options;
  options.n = rows + test_rows;
  options.lower = 0;
  options.upper = 10;
  options.noise = 0.1;
  options.even = true;
  options.seed = seed;
  const Synthetic data = draw(Kernel::parse("se(l=0.5)"), options);
  std::vector<Index> train, test;
  for (Index i = 0; i < options.n; ++i) (i % (every + 1) == every / 2 ? test : train).push_back(i);
  Split split;
  split.train.x = data.x(train, Eigen::all);
  split.train.y = data.y(train);
  split.train.columns.features = {"x"};
  split.train.columns.target = "y";
  split.test_x = data.x(test, Eigen::all);
  split.test_y = data.y(test);
  return split;
}

struct Outcome {
  double length = 0, mse = 0;
};

Outcome outcome(const Split& split, const std::string& kernel, const std::string& trainer) {
  FitOptions options;
  options.kernel = Kernel::parse(kernel);
  options.noise = Noise::parse("0.1:fixed");
  options.standardize = false;
  options.folds = FoldOptions::parse("2:interleaved");
  options.train.trainer = trainer;
  options.train.restarts = 1;
  options.train.compute.threads = 2;
  const FitResult result = fit(split.train, options);
  EXPECT_EQ(result.model.provenance.status, Status::converged) << trainer << ": " << result.model.provenance.message;
  const double rmse = evaluate(Posterior(result.model, {}).predict(split.test_x), split.test_y).rmse;
  return {result.model.kernel.parameters()[0].value, rmse * rmse};
}

TEST(AdmmRecovery, FindsTheLengthScaleAndPredictsAsWellAsTheTruth) {
  for (const std::string trainer : {"naive", "consensus"}) {
    std::vector<double> lengths;
    double mse = 0, floor = 0;
    for (int trial = 0; trial < trials; ++trial) {
      const Split split = drawn(static_cast<std::uint64_t>(100 + trial));
      const Outcome trained = outcome(split, "se(l=0.9, s2=1:fixed)", trainer);
      lengths.push_back(trained.length);
      mse += trained.mse;
      floor += outcome(split, "se(l=0.5:fixed, s2=1:fixed)", "likelihood").mse;
    }
    std::nth_element(lengths.begin(), lengths.begin() + trials / 2, lengths.end());
    EXPECT_NEAR(lengths[trials / 2], 0.5, 0.05) << trainer;
    EXPECT_LT(mse, 1.03 * floor) << trainer;
  }
}

}  // namespace
}  // namespace gpcv
