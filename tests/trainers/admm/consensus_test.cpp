#include "trainers/admm/consensus.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "problem/parameters.hpp"
#include "support/dense_holdout.hpp"

namespace gpcv {
namespace {

constexpr InnerEngine every_engine[] = {InnerEngine::gauss_newton, InnerEngine::admm};

Problem folded(const std::string& truth, const std::string& kernel, const std::string& noise, Index n, Index folds,
               std::uint64_t seed, Index d = 1) {
  Problem problem = drawn_problem(truth, kernel, noise, n, seed, d);
  problem.folds = Folds::random(n, folds, seed);
  return problem;
}

/// Options with one start and no prior.
TrainOptions plain(InnerEngine engine = InnerEngine::gauss_newton) {
  TrainOptions options;
  options.trainer = "consensus";
  options.restarts = 1;
  options.prior = 0;
  options.consensus.inner = engine;
  return options;
}

TEST(Consensus, ReachesThePooledMinimumThatBruteForceFinds) {
  for (std::uint64_t seed : {1, 2, 3}) {
    const Problem p = folded("se(l=0.6)", "se(l=1, s2=1:fixed)", "0.1:fixed", 150, 4, seed);
    const double expected = brute_force_minimum(
        [&](double u) { return pooled_error(p, Vector::Constant(1, std::exp(u))); }, std::log(0.2), std::log(2));
    for (InnerEngine engine : every_engine) {
      const TrainResult result = train(p, plain(engine));
      // With one sweep per round, the iterate may still oscillate about the optimum at the last round.
      if (engine == InnerEngine::gauss_newton) {
        EXPECT_EQ(result.status, Status::converged) << result.message;
      }
      EXPECT_NEAR(std::log(result.kernel.theta()(0)), expected, 1e-2) << name_of(engine) << ", " << seed;
      EXPECT_NEAR(result.objective, pooled_error(p, result.kernel.theta()) / 150, 1e-5 * result.objective);
    }
  }
}

TEST(Consensus, IsNotTheNaiveMean) {
  // Folds of unequal curvature have unequal weights, which the mean of their minima ignores.
  const Problem p = folded("se(l=0.6)", "se(l=1, s2=1:fixed)", "0.1:fixed", 60, 4, 3);
  TrainOptions naive = plain();
  naive.trainer = "naive";
  const double pooled = pooled_error(p, train(p, plain()).kernel.theta());
  EXPECT_LT(pooled, pooled_error(p, train(p, naive).kernel.theta()) - 1e-9);
}

TEST(Consensus, ThePooledRelativeGradientReallyVanishes) {
  struct Case {
    const char *truth, *kernel, *noise;
  };
  for (const auto& [truth, kernel, noise] :
       {Case{"se(l=0.6)", "se(l=1)", "0.2:fixed"}, Case{"se(l=0.6)", "se(l=1, s2=1:fixed)", "0.2"},
        Case{"se(l=3) + lp(l=1, p=2)", "se(l=2.5, s2=1:fixed) + lp(l=1.2, p=2, s2=1:fixed)", "0.1:fixed"}}) {
    const Problem p = folded(truth, kernel, noise, 150, 3, 4);
    for (InnerEngine engine : every_engine) {
      const TrainResult result = train(p, plain(engine));
      ASSERT_EQ(result.status, Status::converged) << kernel << ", " << name_of(engine) << ": " << result.message;
      const Vector gradient = relative_gradient(p, theta_of(result, p));
      EXPECT_LT(gradient.cwiseAbs().maxCoeff(), 5e-3) << name_of(engine) << " ended at " << result.kernel.to_string();
    }
  }
}

TEST(Consensus, WithEverythingFreeItEndsWherePriorAndErrorBalance) {
  for (InnerEngine engine : every_engine) {
    TrainOptions options = plain(engine);
    options.prior = 1;
    const Problem p = folded("se(l=0.6)", "se(l=1, s2=1)", "0.2", 150, 3, 5);
    const TrainResult result = train(p, options);
    ASSERT_EQ(result.status, Status::converged) << name_of(engine) << ": " << result.message;
    const Vector start = log_parameters(p).value, end = theta_of(result, p).array().log();
    // The penalised error is f + W (f⁰/n) ‖log θ − log θ⁰‖².
    const double f = pooled_error(p, end.array().exp()), f0 = pooled_error(p, start.array().exp());
    const Vector gradient = relative_gradient(p, end.array().exp()) + 2 * f0 / 150 / f * (end - start);
    EXPECT_LT(gradient.cwiseAbs().maxCoeff(), 5e-3) << name_of(engine);
    EXPECT_LT(f, f0);
  }
}

TEST(Consensus, TrainsOneLengthScalePerColumn) {
  const Problem p = folded("se(l=[1, 6])", "se(l=[2, 2], s2=1:fixed)", "0.1:fixed", 200, 3, 6, 2);
  for (InnerEngine engine : every_engine) {
    const TrainResult result = train(p, plain(engine));
    ASSERT_EQ(result.status, Status::converged) << name_of(engine) << ": " << result.message;
    EXPECT_LT(relative_gradient(p, result.kernel.theta()).cwiseAbs().maxCoeff(), 5e-3) << name_of(engine);
  }
}

TEST(Consensus, MixedPrecisionComesToTheSameTheta) {
  const Problem p = folded("se(l=0.6)", "se(l=1, s2=1:fixed)", "0.1:fixed", 150, 3, 7);
  TrainOptions options = plain();
  const TrainResult exact = train(p, options);
  options.compute.precision = Precision::mixed;
  const TrainResult mixed = train(p, options);
  EXPECT_EQ(mixed.status, Status::converged);
  EXPECT_NEAR(std::log(mixed.kernel.theta()(0)), std::log(exact.kernel.theta()(0)), 1e-3);
}

TEST(Consensus, TrainsOnForwardChainingFolds) {
  Problem p = folded("se(l=0.6)", "se(l=1, s2=1:fixed)", "0.1:fixed", 150, 3, 8);
  for (const auto& width : {std::optional<double>(), std::optional<double>(0.5)}) {
    p.folds = Folds::forward_chaining(p.x.col(0), 4, width);
    const double expected = brute_force_minimum(
        [&](double u) { return pooled_error(p, Vector::Constant(1, std::exp(u))); }, std::log(0.2), std::log(3));
    const TrainResult result = train(p, plain());
    EXPECT_EQ(result.status, Status::converged) << result.message;
    EXPECT_NEAR(std::log(result.kernel.theta()(0)), expected, 1e-2);
  }
}

TEST(Consensus, OneFoldIsItsOwnConsensus) {
  Problem p = folded("se(l=0.6)", "se(l=1, s2=1:fixed)", "0.1:fixed", 150, 2, 9);
  p.folds = Folds::holdout(150, 0.5, 1);
  const double expected = brute_force_minimum(
      [&](double u) { return pooled_error(p, Vector::Constant(1, std::exp(u))); }, std::log(0.2), std::log(2));
  for (InnerEngine engine : every_engine) {
    const TrainResult result = train(p, plain(engine));
    EXPECT_EQ(result.status, Status::converged) << name_of(engine) << ": " << result.message;
    EXPECT_NEAR(std::log(result.kernel.theta()(0)), expected, 1e-2) << name_of(engine);
  }
}

TEST(Consensus, HeldParametersStay) {
  const Problem p = folded("se(l=0.6)", "se(l=0.7:fixed, s2=1.7)", "0.17:fixed", 100, 3, 10);
  const TrainResult result = train(p, plain());
  EXPECT_EQ(result.kernel.parameters()[0].value, 0.7);
  EXPECT_NE(result.kernel.parameters()[1].value, 1.7);
  EXPECT_EQ(result.noise, 0.17);
}

TEST(Consensus, StaysInsideTypedBounds) {
  const Problem p = folded("se(l=0.6)", "se(l=1.5 in [1.2, 1.8], s2=1:fixed)", "0.1:fixed", 100, 3, 11);
  for (InnerEngine engine : every_engine) {
    const TrainResult result = train(p, plain(engine));
    EXPECT_EQ(result.status, Status::converged) << name_of(engine) << ": " << result.message;
    EXPECT_NEAR(result.kernel.theta()(0), 1.2, 1e-3) << name_of(engine);
    EXPECT_GE(result.kernel.theta()(0), 1.2 * (1 - 1e-12));
    EXPECT_THAT(result.message, ::testing::HasSubstr("ended at its bound"));
  }
}

TEST(Consensus, TheOthersAreStationaryWhenOneStandsAtItsBound) {
  const Problem p = folded("se(l=0.6)", "se(l=0.3 in [0.2, 0.35], s2=1:fixed)", "0.1", 120, 3, 11);
  for (InnerEngine engine : every_engine) {
    const TrainResult result = train(p, plain(engine));
    EXPECT_EQ(result.status, Status::converged) << name_of(engine) << ": " << result.message;
    EXPECT_NEAR(result.kernel.theta()(0), 0.35, 2e-3) << name_of(engine);
    EXPECT_LT(std::abs(relative_gradient(p, theta_of(result, p))(1)), 5e-3) << name_of(engine);
  }
}

TEST(Consensus, SameSeedAndThreadsGiveTheSameBits) {
  const Problem p = folded("se(l=0.6)", "se(l=1)", "0.2", 120, 3, 12);
  for (InnerEngine engine : every_engine) {
    for (int threads : {1, 2}) {
      TrainOptions options = plain(engine);
      options.restarts = 2;
      options.max_iterations = 10;
      options.compute.threads = threads;
      const TrainResult a = train(p, options), b = train(p, options);
      EXPECT_EQ(a.kernel.to_string(), b.kernel.to_string()) << name_of(engine);
      EXPECT_EQ(a.noise, b.noise) << name_of(engine);
      ASSERT_EQ(a.history.size(), b.history.size());
      for (std::size_t i = 0; i < a.history.size(); ++i) EXPECT_EQ(a.history[i].theta, b.history[i].theta);
    }
  }
}

TEST(Consensus, OneThreadAndTwoAgree) {
  const Problem p = folded("se(l=0.6)", "se(l=1, s2=1:fixed)", "0.2", 150, 3, 13);
  for (InnerEngine engine : every_engine) {
    TrainOptions options = plain(engine);
    options.prior = 1;
    const TrainResult one = train(p, options);
    options.compute.threads = 2;
    const TrainResult two = train(p, options);
    EXPECT_EQ(one.status, two.status);
    EXPECT_LT((theta_of(one, p) - theta_of(two, p)).norm(), 1e-6) << name_of(engine);
  }
}

TEST(Consensus, EveryMeasureIsNamedAndFinite) {
  const Problem p = folded("se(l=0.6)", "se(l=1, s2=1.5)", "0.2", 100, 3, 14);
  for (InnerEngine engine : every_engine) {
    TrainOptions options = plain(engine);
    options.prior = 1;
    EXPECT_THAT(measure_names(options),
                ::testing::ElementsAre("primal_residual", "dual_residual", "theta_change", "dual_norm", "rho"));
    const TrainResult result = train(p, options);
    EXPECT_EQ(result.iterations, static_cast<int>(result.history.size()));
    ASSERT_GE(result.history.size(), 2u);
    int round = 0;
    for (const IterationRecord& record : result.history) {
      EXPECT_EQ(record.iteration, round++);
      ASSERT_EQ(record.measures.size(), 5u);
      EXPECT_TRUE(std::isfinite(record.measures[0]) && std::isfinite(record.measures[1]));
      EXPECT_TRUE(std::isfinite(record.objective) && std::isfinite(record.gradient_norm));
      EXPECT_EQ(record.theta.size(), 3u);
    }
    const IterationRecord& last = result.history.back();
    EXPECT_LE(last.measures[0], options.consensus.epsilon);
    EXPECT_LE(last.measures[1], options.consensus.epsilon);
    EXPECT_LE(last.gradient_norm, options.consensus.epsilon);
    // The first record is the start itself.
    EXPECT_NEAR(result.history.front().objective, pooled_error(p, Vector{{1.0, 1.5, 0.2}}) / 100, 1e-5);
  }
}

TEST(Consensus, RestartsAreListedBestFirst) {
  const Problem p = folded("lp(l=1, p=1)", "lp(s2=1:fixed)", "0.1:fixed", 80, 2, 15);
  TrainOptions options = plain();
  options.restarts = 4;
  options.max_iterations = 20;
  const TrainResult result = train(p, options);
  ASSERT_EQ(result.optima.size(), 4u);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_LE(result.optima[i - 1].objective, result.optima[i].objective);
  EXPECT_EQ(result.optima[0].objective, result.objective);
  EXPECT_EQ(kernel_of(result.optima[0], result.kernel).to_string(), result.kernel.to_string());
}

TEST(Consensus, StopsWhenTheObserverSaysSoAndKeepsAUsableTheta) {
  const Problem p = folded("se(l=0.6)", "se(l=2)", "0.5", 100, 3, 16);
  for (InnerEngine engine : every_engine) {
    for (int last : {1, 3}) {
      int calls = 0;
      TrainOptions options = plain(engine);
      options.restarts = 3;
      const TrainResult result = train(p, options, [&](const IterationRecord&) { return ++calls < last; });
      EXPECT_EQ(result.status, Status::stopped) << name_of(engine);
      EXPECT_TRUE(std::isfinite(result.objective));
      EXPECT_TRUE(theta_of(result, p).allFinite());
      EXPECT_EQ(calls, last) << name_of(engine) << ": asked again after it said stop";
    }
  }
}

TEST(Consensus, AStopRequestInsideASolveIsAStopNotAFailure) {
  const Problem p = folded("se(l=0.6)", "se(l=2)", "0.5", 100, 3, 16);
  for (InnerEngine engine : every_engine) {
    for (int last : {0, 2, 4}) {
      int seen = 0;
      TrainOptions options = plain(engine);
      options.consensus.epsilon = 1e-12;
      options.compute.stop = [&] { return seen >= last; };
      const TrainResult result = train(p, options, [&](const IterationRecord&) { return ++seen > 0; });
      EXPECT_EQ(result.status, Status::stopped) << name_of(engine) << ", " << last << ": " << result.message;
      EXPECT_TRUE(theta_of(result, p).allFinite());
      // The result up to the last iteration is kept.
      if (last > 0) {
        EXPECT_TRUE(std::isfinite(result.objective)) << name_of(engine) << ", " << last;
      }
    }
  }
}

TEST(Consensus, ReachesTheSameThetaWhateverItsPenalty) {
  const Problem p = folded("se(l=0.6)", "se(l=1, s2=1:fixed)", "0.1:fixed", 120, 4, 17);
  std::vector<double> found;
  for (double rho : {0.3, 1.0, 5.0}) {
    TrainOptions options = plain();
    options.consensus.rho = rho;
    const TrainResult result = train(p, options);
    EXPECT_EQ(result.status, Status::converged) << rho << ": " << result.message;
    found.push_back(std::log(result.kernel.theta()(0)));
  }
  EXPECT_NEAR(found[0], found[1], 5e-3);
  EXPECT_NEAR(found[2], found[1], 5e-3);
}

}  // namespace
}  // namespace gpcv
