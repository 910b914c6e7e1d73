#include "evaluation/held_out_loss.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace gpcv {
namespace {

/// ∫ (F(t) − 1{t ≥ r})² dt of a normal distribution with mean 0 and deviation s, by the trapezoidal rule.
double integrated_crps(double r, double s) {
  const double end = 12 * s + std::abs(r), step = 1e-4 * s;
  double sum = 0;
  for (double t = -end; t < end; t += step) {
    const double below = 0.5 * std::erfc(-t / (s * std::numbers::sqrt2)) - (t >= r ? 1 : 0);
    sum += below * below * step;
  }
  return sum;
}

TEST(HeldOutLoss, CrpsIsTheIntegralOfTheSquaredDifferenceOfDistributions) {
  for (const double s : {0.3, 2.0}) {
    for (const double r : {-1.0, 0.0, 0.1, 3.0}) {
      const HeldOutLoss loss(Criterion::crps, Vector::Constant(1, s));
      EXPECT_NEAR(loss.value(Vector::Constant(1, r)), integrated_crps(r, s), 2e-4 * s) << r << " " << s;
    }
  }
}

TEST(HeldOutLoss, SlopesAndWeightsAreHalfTheDerivatives) {
  const Vector s = Vector::LinSpaced(7, 0.2, 3), r = Vector::LinSpaced(7, -4, 2.5);
  for (const Criterion criterion : {Criterion::crps, Criterion::log}) {
    const HeldOutLoss loss(criterion, s);
    const RowLoss order = loss.second_order(r);
    constexpr double h = 1e-5;
    for (Index i = 0; i < r.size(); ++i) {
      Vector above = r, below = r;
      above(i) += h;
      below(i) -= h;
      EXPECT_NEAR(2 * order.slope(i), (loss.value(above) - loss.value(below)) / (2 * h), 1e-6);
      const double slope_above = loss.second_order(above).slope(i), slope_below = loss.second_order(below).slope(i);
      EXPECT_NEAR(order.weight(i), (slope_above - slope_below) / (2 * h), 1e-6);
    }
  }
}

TEST(HeldOutLoss, WithoutDeviationsItIsTheSumOfSquares) {
  const HeldOutLoss squares;
  EXPECT_TRUE(squares.is_squares());
  EXPECT_DOUBLE_EQ(squares.value(Vector::LinSpaced(3, 1, 3)), 14);
  EXPECT_EQ(squares.second_order(Vector::Ones(3)).slope.size(), 0);
}

TEST(CalibratedDeviations, AreStackedByFoldAndPositive) {
  Folds folds{4, {{{2, 3}, {0, 1}}, {{0, 1}, {2, 3}}}, ""};
  Vector variances(4);
  variances << 1, std::nan(""), 4, 0;
  const Vector deviations = calibrated_deviations(folds, Vector::Ones(4), variances);
  ASSERT_EQ(deviations.size(), 4);
  EXPECT_TRUE(deviations.allFinite());
  EXPECT_GT(deviations.minCoeff(), 0);
  EXPECT_EQ(calibrated_deviations(folds, Vector::Zero(4), variances).size(), 0) << "no error has no scale";
}

}  // namespace
}  // namespace gpcv
