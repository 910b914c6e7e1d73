#include "prediction/standard_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv {
namespace {

constexpr double normal = std::numeric_limits<double>::infinity();

/// ∫ f over the real line by the trapezoidal rule in t = sinh u, which reaches far into heavy tails.
template <class Function>
double integral(const Function& f) {
  double sum = 0;
  constexpr double step = 1e-3;
  for (double u = -14; u < 14; u += step) sum += f(std::sinh(u)) * std::cosh(u) * step;
  return sum;
}

double density(double z, double degrees) { return std::exp(-standard_negative_log_density(z, degrees)); }

TEST(StandardError, HasTheIntegralOneAndTheVarianceOne) {
  for (const double degrees : {3.0, 4.0, 7.5, 30.0, normal}) {
    EXPECT_NEAR(integral([&](double z) { return density(z, degrees); }), 1, 1e-6) << degrees;
    if (degrees == 3) continue;  // its tail reaches beyond the limits of the integral
    EXPECT_NEAR(integral([&](double z) { return z * z * density(z, degrees); }), 1, 1e-4) << degrees;
  }
}

TEST(StandardError, ProbabilitiesAndQuantilesAreInverse) {
  for (const double degrees : {3.0, 5.0, normal}) {
    for (const double p : {0.001, 0.05, 0.5, 0.6, 0.975}) {
      EXPECT_NEAR(probability_below(quantile_factor(p, degrees), degrees), p, 1e-12) << degrees << " " << p;
    }
    EXPECT_NEAR(interval_factor(0.9, degrees), quantile_factor(0.95, degrees), 1e-12);
  }
  // 2.776445 is the tabulated 97.5 % quantile of Student's t with 4 degrees of freedom, whose deviation is √2.
  EXPECT_NEAR(interval_factor(0.95, 4), 2.7764451051977987 / std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(quantile_factor(1e-18), -8.7572903, 1e-6) << "1 - 2p is 1 in double precision";
  EXPECT_THROW(quantile_factor(0, 4), InputError);
  EXPECT_THROW(quantile_factor(1.5), InputError);
}

TEST(StandardError, CrpsIsTheIntegralOfTheSquaredDifferenceOfDistributions) {
  for (const double degrees : {3.0, 6.0, normal}) {
    for (const double z : {-2.0, 0.0, 0.3, 5.0}) {
      // The jump at z is left to its two halves.
      const auto difference = [&](double t) {
        const double above = t >= z ? 1 : 0;
        return std::pow(probability_below(t, degrees) - above, 2);
      };
      EXPECT_NEAR(standard_crps(z, degrees), integral(difference), 2e-3) << degrees << " " << z;
    }
  }
}

}  // namespace
}  // namespace gpcv
