#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "gpcv/posterior.hpp"
#include "operators/dense_kernel.hpp"
#include "support/random_kernel.hpp"

namespace gpcv {
namespace {

/// Retrains nothing, but conditions on each fold's training rows alone.
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
