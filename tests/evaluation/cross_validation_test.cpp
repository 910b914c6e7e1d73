#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "backends/dense_kernel.hpp"
#include "gpcv/posterior.hpp"
#include "support/random_kernel.hpp"

namespace gpcv {
namespace {

/// Held-out residuals by conditioning on each fold's training rows alone, at fixed hyper-parameters.
Vector by_refitting(const Problem& p, const Folds& folds) {
  Vector residuals = Vector::Constant(p.x.rows(), std::nan(""));
  const Matrix k = dense_kernel(p.kernel.lower(), p.x, 1);
  for (const Fold& fold : folds.folds) {
    Matrix c = k(fold.training, fold.training);
    c.diagonal().array() += p.noise.variance;
    const Vector weights = c.ldlt().solve(p.y(fold.training));
    const Vector mean = k(fold.validation, fold.training) * weights;
    residuals(fold.validation) = p.y(fold.validation) - mean;
  }
  return residuals;
}

TEST(CrossValidation, OneInverseGivesEveryFold) {
  Random random(101);
  for (const char* kernel : {"se", "matern32(ard)", "lp + const"}) {
    Problem p{random_inputs(random, 53, 2), random_inputs(random, 53, 1), Kernel::parse(kernel).bind(2), {}};
    p.noise.variance = 0.15;
    for (const Folds& folds : {Folds::random(53, 5, 1), Folds::interleaved(53, 2), Folds::random(53, 53, 1)}) {
      EXPECT_LT((cross_validation_residuals(p, folds, {}) - by_refitting(p, folds)).norm(), 1e-9) << kernel;
    }
  }
}

/// Expects equal residuals, which are missing for the same rows.
void expect_same(const Vector& found, const Vector& expected, double tolerance, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size());
  for (Index i = 0; i < found.size(); ++i) {
    EXPECT_EQ(std::isnan(found(i)), std::isnan(expected(i))) << what << ", row " << i;
    if (std::isnan(expected(i))) continue;
    EXPECT_NEAR(found(i), expected(i), tolerance) << what << ", row " << i;
  }
}

/// Fold that trains on rows [first, first + train) and validates on the next `validate` rows.
Fold window(Index first, Index train, Index validate) {
  Fold fold;
  for (Index i = 0; i < train; ++i) fold.training.push_back(first + i);
  for (Index i = 0; i < validate; ++i) fold.validation.push_back(first + train + i);
  return fold;
}

class CrossValidationInTime : public testing::Test {
 protected:
  static constexpr Index n = 90;
  static Problem problem(const char* kernel) {
    Random random(103);
    Problem p{random_inputs(random, n, 2), random_inputs(random, n, 1), Kernel::parse(kernel).bind(2), {}};
    p.noise.variance = 0.1;
    return p;
  }
  /// Times in random order, some of them shared by several rows.
  static Vector time() {
    Random random(104);
    Vector t(n);
    for (double& value : t) value = std::floor(random.uniform(0, 60));
    return t;
  }
};

TEST_F(CrossValidationInTime, OneFactorGivesEveryBlockFromAllBeforeIt) {
  for (const char* kernel : {"se", "matern32(ard)", "lp + const"}) {
    const Problem p = problem(kernel);
    for (const Folds& folds : {Folds::forward_chaining(time(), 5), Folds::forward_chaining(time(), 4, 6.0),
                               Folds::forward_chaining(time(), 1, 9.0), Folds::forward_chaining(time(), 1)}) {
      const Vector expected = by_refitting(p, folds);
      for (int threads : {1, 2}) {
        const ComputeOptions dense{.threads = threads, .solver = Solver::cholesky};
        expect_same(cross_validation_residuals(p, folds, dense), expected, 1e-11, folds.description);
      }
      expect_same(cross_validation_residuals(p, folds, {}), expected, 1e-11, folds.description);
    }
  }
}

TEST_F(CrossValidationInTime, ConjugateGradientsAgree) {
  const Problem p = problem("se");
  for (const Folds& folds : {Folds::forward_chaining(time(), 5), Folds::forward_chaining(time(), 4, 6.0),
                             Folds::forward_chaining(time(), 1, 9.0)}) {
    expect_same(cross_validation_residuals(p, folds, {.solver = Solver::cg}), by_refitting(p, folds), 1e-4,
                folds.description);
  }
}

TEST_F(CrossValidationInTime, FoldsThatShareNoOrderAreFactorisedInTurn) {
  const Problem p = problem("se");
  // The folds are sliding windows, blocks in reverse order, a block on which the next fold does not train, and a gap
  // before the block.
  Folds sliding{n, {window(0, 20, 5), window(10, 20, 5), window(40, 30, 10)}, "sliding"};
  Folds backwards{n, {window(0, 60, 10), window(0, 40, 20), window(0, 10, 10)}, "backwards"};
  Folds apart{n, {window(0, 30, 10), window(0, 30, 20), window(0, 35, 20)}, "apart"};
  apart.folds[1].validation.erase(apart.folds[1].validation.begin(), apart.folds[1].validation.begin() + 12);
  apart.folds[2].validation.erase(apart.folds[2].validation.begin(), apart.folds[2].validation.begin() + 15);
  for (const Folds& folds : {sliding, backwards, apart}) {
    expect_same(cross_validation_residuals(p, folds, {.solver = Solver::cholesky}), by_refitting(p, folds), 1e-11,
                folds.description);
  }
}

TEST(CrossValidation, AHoldOutLeavesTheOtherRowsWithoutResidual) {
  Random random(102);
  Problem p{random_inputs(random, 40, 1), random_inputs(random, 40, 1), Kernel::parse("se").bind(1), {}};
  const Folds folds = Folds::holdout(40, 0.25, 3);
  const Vector found = cross_validation_residuals(p, folds, {}), expected = by_refitting(p, folds);
  Index held_out = 0;
  for (Index i = 0; i < 40; ++i) {
    EXPECT_EQ(std::isnan(found(i)), std::isnan(expected(i)));
    if (std::isnan(found(i))) continue;
    EXPECT_NEAR(found(i), expected(i), 1e-9);
    ++held_out;
  }
  EXPECT_EQ(held_out, 10);
}

}  // namespace
}  // namespace gpcv
