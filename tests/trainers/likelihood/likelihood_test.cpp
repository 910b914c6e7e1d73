#include "trainers/likelihood/likelihood.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "gpcv/error.hpp"
#include "gpcv/synthetic.hpp"
#include "problem/parameters.hpp"
#include "support/random_kernel.hpp"

namespace gpcv {
namespace {

Problem synthetic(const std::string& truth, const std::string& start, Index n, std::uint64_t seed, Index d = 1) {
  const Synthetic data = draw(Kernel::parse(truth), {.n = n, .dims = d, .noise = 0.1, .even = d == 1, .seed = seed});
  return {data.x, data.y, Kernel::parse(start).bind(d), {}};
}

TEST(Likelihood, ValueMatchesTheDefinition) {
  const Problem p = synthetic("se(l=0.5)", "se(l=0.7, s2=1.3)", 40, 1);
  Matrix c(40, 40);
  for (Index i = 0; i < 40; ++i) {
    for (Index j = 0; j < 40; ++j) {
      const double r = (p.x(i, 0) - p.x(j, 0)) / 0.7;
      c(i, j) = 1.3 * std::exp(-r * r / 2) + (i == j ? 0.2 : 0);
    }
  }
  const double expected =
      0.5 * p.y.dot(c.ldlt().solve(p.y)) + 0.5 * std::log(c.determinant()) + 20 * std::log(2 * std::numbers::pi);
  EXPECT_NEAR(negative_log_likelihood(p.kernel, 0.2, p.x, p.y, true, 1).value, expected, 1e-9);
}

TEST(Likelihood, GradientMatchesFiniteDifferences) {
  Random random(81);
  for (int trial = 0; trial < 40; ++trial) {
    const Index d = 1 + static_cast<Index>(random.below(3)), n = 5 + static_cast<Index>(random.below(30));
    Problem p{random_inputs(random, n, d),
              random_inputs(random, n, 1),
              Kernel::parse(random_expression(random, d, 1 + static_cast<int>(random.below(2)))).bind(d),
              {}};
    p.noise.variance = random.uniform(0.05, 0.5);
    const Vector u = log_parameters(p).value;
    auto value = [&](const Vector& at) {
      return negative_log_likelihood(kernel_at(p, at), noise_at(p, at), p.x, p.y, true, 1).value;
    };
    const Vector gradient = negative_log_likelihood(p.kernel, p.noise.variance, p.x, p.y, true, 2).gradient;
    for (Index i = 0; i < u.size(); ++i) {
      constexpr double h = 1e-5;
      Vector up = u, down = u;
      up(i) += h;
      down(i) -= h;
      EXPECT_NEAR(gradient(i), (value(up) - value(down)) / (2 * h), 1e-5 * (1 + gradient.norm()))
          << p.kernel.to_string();
    }
  }
}

TEST(LikelihoodTrainer, ReachesTheOptimumOfAOneParameterProblem) {
  // All parameters but the length scale are held fixed, and a fine scan brackets the optimum.
  Problem p = synthetic("se(l=0.5)", "se(l=0.9, s2=1:fixed)", 120, 3);
  p.noise = Noise::parse("0.1:fixed");
  const TrainResult result = train(p, {.trainer = "likelihood"});
  ASSERT_EQ(result.status, Status::converged);
  double best = 1e300, at = 0;
  for (double l = 0.3; l < 0.8; l += 0.002) {
    const double value = negative_log_likelihood(p.kernel.with(std::vector<double>{l}), 0.1, p.x, p.y, false, 2).value;
    if (value < best) {
      best = value;
      at = l;
    }
  }
  EXPECT_LE(result.objective, best + 1e-6 * std::abs(best));
  EXPECT_NEAR(result.kernel.theta()(0), at, 0.002);
}

TEST(LikelihoodTrainer, EndsWithAVanishingGradient) {
  for (const char* kernel : {"se", "matern52", "rq", "se(l=3, s2=1:fixed) + lp(l=1, p=2)"}) {
    const Problem p = synthetic("se(l=3) + lp(l=1, p=2)", kernel, 150, 4);
    const TrainResult result = train(p, {.trainer = "likelihood", .restarts = 1});
    EXPECT_EQ(result.status, Status::converged) << kernel;
    Problem end = p;
    end.kernel = result.kernel;
    end.noise.variance = result.noise;
    const LogParameters u = log_parameters(end);
    const Vector gradient = negative_log_likelihood(result.kernel, result.noise, p.x, p.y, true, 2).gradient;
    double norm = 0;
    for (Index i = 0; i < gradient.size(); ++i) {
      const bool at_bound = u.value(i) <= u.lower(i) + 1e-9 || u.value(i) >= u.upper(i) - 1e-9;
      if (!at_bound) norm = std::max(norm, std::abs(gradient(i)));
    }
    EXPECT_LT(norm, 0.02) << kernel << " ended at " << result.kernel.to_string();
  }
}

TEST(LikelihoodTrainer, RecoversTheTruthFromManyPoints) {
  const TrainResult result = train(synthetic("se(l=0.5, s2=1)", "se(l=0.9)", 400, 5), {.trainer = "likelihood"});
  EXPECT_NEAR(result.kernel.theta()(0), 0.5, 0.07);
  EXPECT_NEAR(result.noise, 0.1, 0.02);
}

TEST(LikelihoodTrainer, FindsAPeriodThatWasTypedRoughlyOrNotAtAll) {
  const Synthetic data = draw(Kernel::parse("periodic(l=1, p=3.2)"), {.n = 120, .upper = 29, .noise = 0.01, .seed = 3});
  for (const char* start : {"periodic(p=3)", "periodic(p=3.7)", "periodic", "lp"}) {
    const TrainResult result = train({data.x, data.y, Kernel::parse(start).bind(1), {}}, {.trainer = "likelihood"});
    EXPECT_NEAR(result.kernel.parameters()[1].value, 3.2, 0.02) << start;
  }
}

TEST(LikelihoodTrainer, HeldParametersStay) {
  Problem p = synthetic("se(l=0.5)", "se(l=0.6:fixed, s2=2)", 60, 6);
  p.noise = Noise::parse("0.25:fixed");
  const TrainResult result = train(p, {.trainer = "likelihood", .restarts = 2});
  EXPECT_EQ(result.kernel.parameters()[0].value, 0.6);
  EXPECT_NE(result.kernel.parameters()[1].value, 2);
  EXPECT_EQ(result.noise, 0.25);
}

TEST(LikelihoodTrainer, NothingToTrainIsEvaluatedOnce) {
  Problem p = synthetic("se(l=0.5)", "se(l=0.6:fixed, s2=2:fixed)", 60, 6);
  p.noise = Noise::parse("0.25:fixed");
  const TrainResult result = train(p, {.trainer = "likelihood"});
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_NEAR(result.objective, negative_log_likelihood(p.kernel, 0.25, p.x, p.y, false, 1).value, 1e-12);
}

TEST(LikelihoodTrainer, SameSeedSameResult) {
  const Problem p = synthetic("matern32(l=0.5)", "matern32(ard)", 80, 7, 2);
  const TrainResult a = train(p, {.trainer = "likelihood", .restarts = 3, .seed = 9}),
                    b = train(p, {.trainer = "likelihood", .restarts = 3, .seed = 9});
  EXPECT_EQ(a.kernel.to_string(), b.kernel.to_string());
  EXPECT_EQ(a.noise, b.noise);
  EXPECT_EQ(a.history.size(), b.history.size());
}

TEST(LikelihoodTrainer, ListsEveryOptimumBestFirst) {
  const TrainResult result = train(synthetic("lp(l=1, p=1)", "lp", 80, 8), {.trainer = "likelihood", .restarts = 4});
  ASSERT_EQ(result.optima.size(), 4u);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_LE(result.optima[i - 1].objective, result.optima[i].objective);
  EXPECT_EQ(result.optima[0].objective, result.objective);
}

TEST(LikelihoodTrainer, StopsWhenTheObserverSaysSoAndKeepsTheBest) {
  int calls = 0;
  double best = 1e300;
  const TrainResult result =
      train(synthetic("se(l=0.5)", "se", 80, 9), {.trainer = "likelihood"}, [&](const IterationRecord& record) {
        best = std::min(best, record.objective);
        return ++calls < 4;
      });
  EXPECT_EQ(result.status, Status::stopped);
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(result.objective, best);
}

TEST(LikelihoodTrainer, DuplicatedRowsAndExactDataEndWithFiniteNumbers) {
  Problem p = synthetic("se(l=0.5)", "se", 60, 10);
  p.x.bottomRows(30) = p.x.topRows(30);
  p.y = p.x.col(0).array().sin();
  const TrainResult result = train(p, {.trainer = "likelihood"});
  EXPECT_NE(result.status, Status::not_run);
  EXPECT_TRUE(std::isfinite(result.objective));
  EXPECT_GT(result.noise, 0);
}

TEST(LikelihoodTrainer, RefusesUnusableProblems) {
  Problem p = synthetic("se(l=0.5)", "se", 60, 10);
  EXPECT_THROW(train(p, {.trainer = "alchemy"}), InputError);
  Problem nan = p;
  nan.y(3) = std::nan("");
  EXPECT_THROW(train(nan, {}), InputError);
  Problem short_y = p;
  short_y.y.conservativeResize(10);
  EXPECT_THROW(train(short_y, {}), InputError);
  Problem few = p;
  few.x.conservativeResize(2, 1);
  few.y.conservativeResize(2);
  EXPECT_THROW(train(few, {}), InputError);
}

TEST(Noise, ParsesValuesAndHolds) {
  EXPECT_EQ(Noise::parse("0.25").variance, 0.25);
  EXPECT_FALSE(Noise::parse("0.25").fixed);
  EXPECT_TRUE(Noise::parse("1e-3:fixed").fixed);
  EXPECT_EQ(Noise::parse("0.25:fixed").to_string(), "0.25:fixed");
  for (const char* bad : {"", "x", "-1", "0", "1:held", "1:fixed:fixed", "inf", "nan", "1 "}) {
    EXPECT_THROW(Noise::parse(bad), InputError) << bad;
  }
}

}  // namespace
}  // namespace gpcv
