/// The naive K-fold scheme: training of every fold by itself, then the mean.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <string>
#include <vector>

#include "support/dense_holdout.hpp"

namespace gpcv {
namespace {

Problem three_folds(const std::string& kernel, const std::string& noise, Index n, std::uint64_t seed) {
  Problem problem = drawn_problem("se(l=0.6)", kernel, noise, n, seed);
  problem.folds = Folds::random(n, 3, seed);
  return problem;
}

/// Results of training each fold by itself with the trainer admm, with the random numbers that the fold has in the
/// naive scheme.
std::vector<Vector> fold_by_fold(const Problem& problem, const TrainOptions& naive) {
  std::vector<Vector> found;
  for (std::size_t k = 0; k < problem.folds.folds.size(); ++k) {
    Problem alone = problem;
    alone.folds.folds = {problem.folds.folds[k]};
    TrainOptions options = naive;
    options.trainer = "admm";
    options.seed = naive.seed + 7919 * k;
    // In the naive scheme, each fold has its share of the prior.
    double validated = 0;
    for (const Fold& fold : problem.folds.folds) validated += static_cast<double>(fold.validation.size());
    options.prior *= static_cast<double>(problem.folds.folds[k].validation.size()) / validated;
    found.push_back(theta_of(train(alone, options), alone));
  }
  return found;
}

TEST(Naive, IsTheGeometricMeanOfTheFoldsInLogarithms) {
  const Problem p = three_folds("se(l=1, s2=1:fixed)", "0.2", 150, 1);
  TrainOptions options;
  options.trainer = "naive";
  options.restarts = 1;
  const TrainResult result = train(p, options);
  Vector mean = Vector::Zero(2);
  for (const Vector& theta : fold_by_fold(p, options)) mean += theta.array().log().matrix() / 3;
  EXPECT_LT((theta_of(result, p).array().log().matrix() - mean).norm(), 1e-9);
  EXPECT_NEAR(result.objective, pooled_error(p, theta_of(result, p)) / 150, 1e-5 * result.objective);
}

TEST(Naive, IsTheArithmeticMeanOfTheFoldsInRawTheta) {
  Problem p = three_folds("se(l=1)", "0.1", 120, 2);
  hold_variances(p.kernel);
  p.noise.fixed = true;
  TrainOptions options;
  options.trainer = "naive";
  use_paper_preset(options);
  options.seed = 11;
  const TrainResult result = train(p, options);
  double mean = 0;
  std::vector<double> lengths;
  for (const Vector& theta : fold_by_fold(p, options)) {
    mean += theta(0) / 3;
    lengths.push_back(theta(0));
  }
  EXPECT_NEAR(result.kernel.theta()(0), mean, 1e-9);
  // The two means differ, so that this test can tell them apart.
  EXPECT_GT(std::abs(std::cbrt(lengths[0] * lengths[1] * lengths[2]) - mean), 1e-6);
}

TEST(Naive, IsTheMeanOfTheLastRecordsOfItsFolds) {
  const Problem p = three_folds("se(l=1)", "0.2", 120, 3);
  TrainOptions options;
  options.trainer = "naive";
  options.restarts = 1;
  const TrainResult result = train(p, options);
  ASSERT_EQ(result.status, Status::converged) << result.message;
  Matrix last(3, 3);
  std::vector<int> records(3), order;
  for (const IterationRecord& record : result.history) {
    EXPECT_EQ(record.iteration, records.at(static_cast<std::size_t>(record.fold))++);
    last.col(record.fold) = Eigen::Map<const Vector>(record.theta.data(), 3);
    order.push_back(record.fold);
  }
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end())) << "the history stands fold by fold";
  const Vector mean = last.array().log().rowwise().mean().exp();
  EXPECT_LT((theta_of(result, p) - mean).norm(), 1e-9);
}

TEST(Naive, WithOneFoldIsAdmm) {
  Problem p = three_folds("se(l=1)", "0.2", 120, 4);
  p.folds = Folds::holdout(120, 0.4, 2);
  TrainOptions options;
  options.restarts = 1;
  options.trainer = "naive";
  const TrainResult naive = train(p, options);
  options.trainer = "admm";
  const TrainResult admm = train(p, options);
  EXPECT_EQ(naive.kernel.to_string(), admm.kernel.to_string());
  EXPECT_EQ(naive.noise, admm.noise);
  EXPECT_EQ(naive.objective, admm.objective);
}

TEST(Naive, TrainsOnForwardChainingFolds) {
  Problem p = three_folds("se(l=1, s2=1:fixed)", "0.1:fixed", 200, 5);
  for (const auto& width : {std::optional<double>(), std::optional<double>(0.5)}) {
    p.folds = Folds::forward_chaining(p.x.col(0), 4, width);
    TrainOptions options;
    options.trainer = "naive";
    options.restarts = 1;
    const TrainResult result = train(p, options);
    EXPECT_EQ(result.status, Status::converged) << result.message;
    double rows = 0;
    for (const Fold& fold : p.folds.folds) rows += static_cast<double>(fold.validation.size());
    EXPECT_NEAR(result.objective, pooled_error(p, result.kernel.theta()) / rows, 1e-5 * result.objective);
    // The mean of the folds' minima is not a minimum, but it is close to one.
    EXPECT_LT(result.objective, 1.1 * pooled_error(p, p.kernel.theta()) / rows);
  }
}

TEST(Naive, IsFineWithFoldsOfOneRow) {
  Problem p = three_folds("se(l=1, s2=1:fixed)", "0.1:fixed", 12, 6);
  p.folds = Folds::random(12, 12, 1);
  TrainOptions options;
  options.trainer = "naive";
  options.restarts = 1;
  const TrainResult result = train(p, options);
  EXPECT_TRUE(std::isfinite(result.objective)) << result.message;
  EXPECT_GT(result.kernel.theta()(0), 0);
}

}  // namespace
}  // namespace gpcv
