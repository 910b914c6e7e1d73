#include "trainers/admm/admm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <string>
#include <vector>

#include "problem/parameters.hpp"
#include "support/dense_holdout.hpp"

namespace gpcv {
namespace {

constexpr ThetaStep every_step[] = {ThetaStep::coordinate, ThetaStep::gradient, ThetaStep::adam,
                                    ThetaStep::gauss_newton};

Problem hold_out(const std::string& truth, const std::string& start, const std::string& noise, Index n,
                 std::uint64_t seed, Index d = 1) {
  Problem problem = drawn_problem(truth, start, noise, n, seed, d);
  problem.folds = Folds::holdout(n, 0.5, seed);
  return problem;
}

/// Options with one start and no prior.
TrainOptions plain(const std::string& trainer = "admm") {
  TrainOptions options;
  options.trainer = trainer;
  options.restarts = 1;
  options.prior = 0;
  return options;
}

TrainOptions published() {
  TrainOptions options;
  options.trainer = "admm";
  use_paper_preset(options);
  return options;
}

double log_length(const TrainResult& result) { return std::log(result.kernel.theta()(0)); }

/// The log l that minimises the hold-out error while all other parameters are held fixed.
double best_log_length(const Problem& problem, double lower, double upper) {
  return brute_force_minimum([&](double u) { return pooled_error(problem, Vector::Constant(1, std::exp(u))); },
                             std::log(lower), std::log(upper));
}

TEST(Admm, ReachesTheMinimumThatBruteForceFinds) {
  for (std::uint64_t seed : {1, 2, 3}) {
    const Problem p = hold_out("se(l=0.6)", "se(l=1, s2=1:fixed)", "0.1:fixed", 200, seed);
    const TrainResult result = train(p, plain());
    EXPECT_EQ(result.status, Status::converged) << result.message;
    EXPECT_NEAR(log_length(result), best_log_length(p, 0.2, 2), 1e-2) << seed;
    EXPECT_NEAR(result.objective, pooled_error(p, result.kernel.theta()) / 100, 1e-5 * result.objective);
  }
}

TEST(Admm, EveryThetaStepComesToTheSameMinimum) {
  const Problem p = hold_out("se(l=0.6)", "se(l=0.45, s2=1:fixed)", "0.1:fixed", 80, 2);
  const double expected = best_log_length(p, 0.2, 2);
  for (ThetaStep step : every_step) {
    for (bool raw : {false, true}) {
      TrainOptions options = plain();
      options.admm.theta_step = step;
      options.admm.raw_theta = raw;
      options.max_iterations = step == ThetaStep::coordinate || step == ThetaStep::gradient ? 1500 : 200;
      const TrainResult result = train(p, options);
      // Steps of one per cent approach the minimum but do not converge.
      if (step != ThetaStep::adam) {
        EXPECT_EQ(result.status, Status::converged) << name_of(step) << (raw ? ", raw: " : ": ") << result.message;
      }
      EXPECT_NEAR(log_length(result), expected, 2e-2) << name_of(step) << (raw ? ", raw" : "");
    }
  }
}

TEST(Admm, TheRelativeGradientOfTheErrorReallyVanishes) {
  struct Case {
    const char *truth, *kernel, *noise;
  };
  for (const auto& [truth, kernel, noise] :
       {Case{"se(l=0.6)", "se(l=1)", "0.2:fixed"}, Case{"se(l=0.6)", "matern52(l=1, s2=1:fixed)", "0.2"},
        Case{"se(l=3) + lp(l=1, p=2)", "se(l=2.5, s2=1:fixed) + lp(l=1.2, p=2, s2=1:fixed)", "0.1:fixed"}}) {
    const Problem p = hold_out(truth, kernel, noise, 200, 4);
    const TrainResult result = train(p, plain());
    ASSERT_EQ(result.status, Status::converged) << kernel << ": " << result.message;
    const Vector gradient = relative_gradient(p, theta_of(result, p));
    EXPECT_LT(gradient.cwiseAbs().maxCoeff(), 3e-3) << kernel << " ended at " << result.kernel.to_string();
    EXPECT_LT(result.history.back().gradient_norm, 1e-3);
  }
}

TEST(Admm, WithEverythingFreeItEndsAtAStationaryPointNearTheStart) {
  TrainOptions options = plain();
  options.prior = 1;
  for (std::uint64_t seed : {5, 6}) {
    const Problem p = hold_out("se(l=0.6)", "se(l=1, s2=1)", "0.2", 200, seed);
    const TrainResult result = train(p, options);
    ASSERT_EQ(result.status, Status::converged) << result.message;
    const Vector start = log_parameters(p).value, end = theta_of(result, p).array().log();
    // The penalised error is f + W (f⁰/n) ‖log θ − log θ⁰‖².
    const double f = pooled_error(p, end.array().exp()), f0 = pooled_error(p, start.array().exp());
    const Vector gradient = relative_gradient(p, end.array().exp()) + 2 * f0 / 100 / f * (end - start);
    EXPECT_LT(gradient.cwiseAbs().maxCoeff(), 3e-3);
    EXPECT_LT(f, f0);
  }
}

TEST(Admm, TrainsOneLengthScalePerColumn) {
  const Problem p = hold_out("se(l=[1, 6])", "se(l=[2, 2], s2=1:fixed)", "0.1:fixed", 250, 7, 2);
  const TrainResult result = train(p, plain());
  ASSERT_EQ(result.status, Status::converged) << result.message;
  const Vector theta = result.kernel.theta();
  EXPECT_LT(relative_gradient(p, theta).cwiseAbs().maxCoeff(), 3e-3);
  EXPECT_GT(theta(1), 2 * theta(0));
}

TEST(Admm, HeldParametersStay) {
  const Problem p = hold_out("se(l=0.6)", "se(l=0.7:fixed, s2=1.7)", "0.17:fixed", 100, 8);
  const TrainResult result = train(p, plain());
  EXPECT_EQ(result.kernel.parameters()[0].value, 0.7);
  EXPECT_NE(result.kernel.parameters()[1].value, 1.7);
  EXPECT_EQ(result.noise, 0.17);
}

TEST(Admm, TheOthersAreStationaryWhenOneStandsAtItsBound) {
  const Problem p = hold_out("se(l=0.6)", "se(l=0.3 in [0.2, 0.35], s2=1:fixed)", "0.1", 150, 8);
  const TrainResult result = train(p, plain());
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_THAT(result.message, ::testing::HasSubstr("se.l ended at its bound"));
  EXPECT_NEAR(result.kernel.theta()(0), 0.35, 1e-6);
  EXPECT_LT(std::abs(relative_gradient(p, theta_of(result, p))(1)), 3e-3);
}

TEST(Admm, MixedPrecisionComesToTheSameTheta) {
  const Problem p = hold_out("se(l=0.6)", "se(l=1, s2=1:fixed)", "0.1:fixed", 200, 1);
  TrainOptions options = plain();
  const TrainResult exact = train(p, options);
  options.compute.precision = Precision::mixed;
  const TrainResult mixed = train(p, options);
  EXPECT_EQ(mixed.status, Status::converged);
  EXPECT_NEAR(log_length(mixed), log_length(exact), 1e-3);
}

TEST(Admm, SameSeedAndThreadsGiveTheSameBits) {
  const Problem p = hold_out("se(l=0.6)", "se(l=1)", "0.2", 150, 9);
  for (TrainOptions options : {plain(), published()}) {
    options.restarts = 2;
    options.seed = 5;
    const TrainResult a = train(p, options), b = train(p, options);
    EXPECT_EQ(a.kernel.to_string(), b.kernel.to_string());
    EXPECT_EQ(a.noise, b.noise);
    EXPECT_EQ(a.objective, b.objective);
    ASSERT_EQ(a.history.size(), b.history.size());
    for (std::size_t i = 0; i < a.history.size(); ++i) {
      EXPECT_EQ(a.history[i].theta, b.history[i].theta);
      EXPECT_EQ(a.history[i].objective, b.history[i].objective);
    }
  }
}

TEST(Admm, OneThreadAndTwoAgree) {
  Problem p = hold_out("se(l=0.6)", "se(l=1, s2=1:fixed)", "0.2", 300, 9);
  for (const char* trainer : {"admm", "naive"}) {
    if (trainer == std::string("naive")) p.folds = Folds::random(300, 3, 1);
    TrainOptions options = plain(trainer);
    const TrainResult one = train(p, options);
    options.compute.threads = 2;
    const TrainResult two = train(p, options);
    EXPECT_EQ(one.status, two.status);
    EXPECT_LT((theta_of(one, p) - theta_of(two, p)).norm(), 1e-6) << trainer;
    EXPECT_NEAR(one.objective, two.objective, 1e-6 * one.objective);
    ASSERT_EQ(one.history.size(), two.history.size());
    for (std::size_t i = 0; i < one.history.size(); ++i) EXPECT_EQ(one.history[i].fold, two.history[i].fold);
  }
}

TEST(Admm, RestartsAreListedBestFirst) {
  const Problem p = hold_out("lp(l=1, p=1)", "lp(s2=1:fixed)", "0.1:fixed", 100, 10);
  TrainOptions options = plain();
  options.restarts = 4;
  options.max_iterations = 40;
  const TrainResult result = train(p, options);
  ASSERT_EQ(result.optima.size(), 4u);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_LE(result.optima[i - 1].objective, result.optima[i].objective);
  EXPECT_EQ(result.optima[0].objective, result.objective);
  EXPECT_EQ(kernel_of(result.optima[0], result.kernel).to_string(), result.kernel.to_string());
  EXPECT_EQ(result.optima[0].status, result.status);
  // The restarts begin at other values.
  std::vector<double> starts;
  for (const IterationRecord& record : result.history) {
    if (record.iteration == 0) starts.push_back(record.theta[0]);
  }
  ASSERT_EQ(starts.size(), 4u);
  EXPECT_NE(starts[0], starts[1]);
  EXPECT_NE(starts[1], starts[2]);
}

TEST(Admm, EveryMeasureIsNamedAndFinite) {
  Problem p = hold_out("se(l=0.6)", "se(l=1)", "0.2", 100, 11);
  for (const char* trainer : {"admm", "naive"}) {
    if (trainer == std::string("naive")) p.folds = Folds::random(100, 3, 1);
    for (bool gap : {false, true}) {
      TrainOptions options = plain(trainer);
      options.admm.trace_gap = gap;
      options.restarts = 2;
      const std::vector<std::string> names = measure_names(options);
      EXPECT_EQ(names.size(), gap ? 14u : 13u);
      const TrainResult result = train(p, options);
      EXPECT_EQ(result.iterations, static_cast<int>(result.history.size()));
      ASSERT_FALSE(result.history.empty());
      double before = -1;
      for (const IterationRecord& record : result.history) {
        ASSERT_EQ(record.measures.size(), names.size());
        for (std::size_t i = 0; i < names.size(); ++i) EXPECT_TRUE(std::isfinite(record.measures[i])) << names[i];
        EXPECT_TRUE(std::isfinite(record.objective));
        EXPECT_TRUE(std::isfinite(record.gradient_norm));
        EXPECT_EQ(record.theta.size(), theta_names(p.kernel, p.noise).size());
        EXPECT_GE(record.seconds, 0);
        EXPECT_LT(record.fold, p.folds.size());
        before = record.seconds;
      }
      EXPECT_LE(before, result.seconds);
    }
  }
}

TEST(Admm, TheMeasuresAreWhatTheirNamesSay) {
  // With z = C⁻¹ y_T at the start, the constraint holds there and the gap is zero.
  const Problem p = hold_out("se(l=0.6)", "se(l=1, s2=1:fixed)", "0.2:fixed", 100, 12);
  TrainOptions options = plain();
  options.admm.trace_gap = true;
  options.admm.rho = 7;
  const TrainResult result = train(p, options);
  const IterationRecord& first = result.history.front();
  const DenseHoldout dense(Holdout::of(p.x, p.y, p.folds.folds[0]), p.kernel, 0.2);
  EXPECT_THAT(measure_names(options),
              ::testing::ElementsAre("constraint_residual", "rho", "lagrangian", "z_norm", "cg_iterations",
                                     "theta_change", "z_change", "lambda_norm", "primal_residual", "dual_residual",
                                     "theta_steps", "theta_limited", "products", "gap"));
  EXPECT_EQ(first.iteration, 0);
  EXPECT_NEAR(first.objective, dense.residual().squaredNorm() / 50, 1e-6);
  EXPECT_LT(first.measures[0], 1e-7);
  EXPECT_EQ(first.measures[1], 7);
  EXPECT_NEAR(first.measures[2], dense.residual().squaredNorm(), 1e-5);
  EXPECT_NEAR(first.measures[3], dense.weights().norm(), 1e-6 * dense.weights().norm());
  EXPECT_LT(first.measures.back(), 1e-10);
  EXPECT_NEAR(first.gradient_norm, relative_gradient(p, p.kernel.theta()).cwiseAbs().maxCoeff(), 1e-4);
  for (const IterationRecord& record : result.history) {
    EXPECT_GE(record.measures[1], 0.7);
    EXPECT_LE(record.measures[1], 7000);
    if (record.iteration > 0) {
      EXPECT_GT(record.measures[4], 0);
    }
  }
}

TEST(Admm, StopsWhenTheObserverSaysSoAndKeepsAUsableTheta) {
  Problem p = hold_out("se(l=0.6)", "se(l=2)", "0.5", 100, 13);
  for (const char* trainer : {"admm", "naive"}) {
    if (trainer == std::string("naive")) p.folds = Folds::random(100, 2, 1);
    for (int last : {1, 2, 4}) {
      int calls = 0;
      TrainOptions options = plain(trainer);
      options.restarts = 3;
      const TrainResult result = train(p, options, [&](const IterationRecord&) { return ++calls < last; });
      EXPECT_EQ(result.status, Status::stopped) << trainer << ", " << last;
      EXPECT_TRUE(std::isfinite(result.objective)) << trainer << ", " << last;
      const Vector theta = theta_of(result, p);
      EXPECT_TRUE(theta.allFinite() && theta.minCoeff() > 0);
      for (const IterationRecord& record : result.history) EXPECT_EQ(record.restart, 0);
    }
  }
}

TEST(Admm, AStopInALaterStartIsAStopAndKeepsTheBest) {
  const Problem p = hold_out("se(l=0.6)", "se(l=1, s2=1:fixed)", "0.1:fixed", 100, 13);
  TrainOptions options = plain();
  options.restarts = 5;
  const TrainResult result =
      train(p, options, [](const IterationRecord& r) { return r.restart < 1 || r.iteration < 1; });
  EXPECT_EQ(result.status, Status::stopped) << result.message;
  EXPECT_EQ(result.history.back().restart, 1);
  options.restarts = 1;
  EXPECT_LE(result.objective, train(p, options).objective);
}

TEST(Admm, AnObserverThatSaidStopIsNotAskedAgain) {
  Problem p = hold_out("se(l=0.6)", "se(l=2)", "0.5", 100, 13);
  for (const char* trainer : {"admm", "naive"}) {
    if (trainer == std::string("naive")) p.folds = Folds::random(100, 3, 1);
    for (int last : {1, 3}) {
      int calls = 0;
      train(p, plain(trainer), [&](const IterationRecord&) { return ++calls < last; });
      EXPECT_EQ(calls, last) << trainer;
    }
  }
}

TEST(Admm, AStopRequestInsideASolveIsAStopNotAFailure) {
  Problem p = hold_out("se(l=0.6)", "se(l=2)", "0.5", 100, 13);
  for (const char* trainer : {"admm", "naive"}) {
    if (trainer == std::string("naive")) p.folds = Folds::random(100, 2, 1);
    for (int last : {0, 2, 5}) {
      int seen = 0;
      TrainOptions options = plain(trainer);
      options.admm.epsilon = 1e-12;
      options.compute.stop = [&] { return seen >= last; };
      const TrainResult result = train(p, options, [&](const IterationRecord&) { return ++seen > 0; });
      EXPECT_EQ(result.status, Status::stopped) << trainer << ", " << last << ": " << result.message;
      EXPECT_TRUE(theta_of(result, p).allFinite());
      // The result up to the last iteration is kept.
      if (last > 0) {
        EXPECT_TRUE(std::isfinite(result.objective)) << trainer << ", " << last;
      }
    }
  }
}

}  // namespace
}  // namespace gpcv
