#include "trainers/admm/lagrangian.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "support/dense_holdout.hpp"

namespace gpcv {
namespace {

/// A hold-out split of random points with random z and λ.
struct Setting {
  Setting(Random& random, const Kernel& kernel, const Noise& noise, Index n, Index d)
      : problem{random_inputs(random, n, d), random_inputs(random, n, 1), kernel, noise, Folds::holdout(n, 0.4, 3)},
        holdout(problem, problem.folds.folds[0], {}),
        z(random_inputs(random, holdout.data().y_t.size(), 1)),
        lambda(random_inputs(random, holdout.data().y_t.size(), 1)) {}

  Vector start() const { return log_parameters(problem).value; }

  Problem problem;
  HoldoutProblem holdout;
  Vector z, lambda;
};

QuadraticPenalty some_pull(Random& random, Index size) {
  const Matrix a = random_inputs(random, size, size);
  return {a * a.transpose(), random_inputs(random, size, 1)};
}

TEST(QuadraticPenalty, IsTheQuadraticFormAroundItsCentre) {
  Random random(231);
  const Matrix a = random_inputs(random, 4, 4), weight = a * a.transpose();
  const Vector centre = random_inputs(random, 4, 1), q = random_inputs(random, 4, 1);
  const QuadraticPenalty pull(weight, centre);
  EXPECT_NEAR(pull.value(q), (q - centre).dot(weight * (q - centre)), 1e-12 * (1 + weight.norm()));
  EXPECT_LT((pull.gradient(q) - 2 * weight * (q - centre)).norm(), 1e-12 * (1 + weight.norm()));
  EXPECT_NEAR(pull.value(centre), 0, 1e-12);
  EXPECT_EQ(pull.weight(), weight);
  EXPECT_EQ(QuadraticPenalty::none(4).value(q), 0);
  EXPECT_EQ(QuadraticPenalty::none(4).gradient(q), Vector::Zero(4));
}

TEST(QuadraticPenalty, SumsAddValuesAndGradients) {
  Random random(232);
  const QuadraticPenalty a = some_pull(random, 3), b = some_pull(random, 3);
  QuadraticPenalty sum = a;
  sum += b;
  sum += QuadraticPenalty::none(3);
  for (int trial = 0; trial < 5; ++trial) {
    const Vector q = 3 * random_inputs(random, 3, 1);
    const double value = a.value(q) + b.value(q);
    EXPECT_NEAR(sum.value(q), value, 1e-12 * (1 + std::abs(value)));
    EXPECT_LT((sum.gradient(q) - a.gradient(q) - b.gradient(q)).norm(), 1e-12 * (1 + a.gradient(q).norm()));
  }
  EXPECT_LT((sum.weight() - a.weight() - b.weight()).norm(), 1e-14 * sum.weight().norm());
}

TEST(Lagrangian, ValueMatchesTheDefinition) {
  Random random(233);
  for (int trial = 0; trial < 10; ++trial) {
    const Index d = 1 + static_cast<Index>(random.below(2));
    const Kernel kernel = Kernel::parse(random_expression(random, d, 2)).bind(d);
    const Setting s(random, kernel, Noise::parse("0.3"), 30, d);
    const double rho = random.uniform(0.5, 20);
    for (bool raw : {false, true}) {
      const Coordinates coordinates(s.problem, raw);
      const QuadraticPenalty pull = some_pull(random, s.start().size());
      const ThetaLagrangian lagrangian(s.holdout, coordinates, s.z, s.lambda, rho, pull);
      const Vector q = coordinates.from_log(s.start());
      const Evaluated e = lagrangian.at(q);
      const DenseHoldout dense(s.holdout.data(), kernel, 0.3);
      const Vector r = dense.y_v - dense.k_vt * s.z, c = dense.c * s.z - dense.y_t;
      EXPECT_LT((e.residual - r).norm(), 1e-11 * (1 + r.norm()));
      EXPECT_LT((e.constraint - c).norm(), 1e-11 * (1 + c.norm()));
      const double expected = r.squaredNorm() + s.lambda.dot(c) + 0.5 * rho * c.squaredNorm() + pull.value(q);
      EXPECT_NEAR(lagrangian.value(e), expected, 1e-10 * (1 + std::abs(expected))) << kernel.to_string();
    }
  }
}

TEST(Lagrangian, GradientMatchesFiniteDifferences) {
  Random random(234);
  for (int trial = 0; trial < 20; ++trial) {
    const Index d = 1 + static_cast<Index>(random.below(3));
    const Kernel kernel = Kernel::parse(random_expression(random, d, 1 + static_cast<int>(random.below(2)))).bind(d);
    const Noise noise = Noise::parse(trial % 2 == 0 ? "0.2" : "0.2:fixed");
    const Setting s(random, kernel, noise, 25, d);
    if (s.start().size() == 0) continue;
    for (bool raw : {false, true}) {
      const Coordinates coordinates(s.problem, raw);
      const QuadraticPenalty pull =
          trial % 3 == 0 ? QuadraticPenalty::none(s.start().size()) : some_pull(random, s.start().size());
      const ThetaLagrangian lagrangian(s.holdout, coordinates, s.z, s.lambda, random.uniform(0.1, 20), pull);
      const Vector q = coordinates.from_log(s.start());
      const Vector found = lagrangian.gradient(lagrangian.at(q));
      const Vector expected =
          central_differences(
              [&](const Vector& at) { return Vector::Constant(1, lagrangian.value(lagrangian.at(at))); }, q)
              .transpose();
      EXPECT_LT((found - expected).norm(), 1e-6 * (1 + expected.norm())) << kernel.to_string() << (raw ? " raw" : "");
    }
  }
}

using KernelFunction = std::function<double(double, const Vector&)>;  ///< function of x − x' and θ

double se(double r, double l) { return std::exp(-r * r / (2 * l * l)); }
double lp(double r, double l, double p) {
  const double s = std::sin(std::numbers::pi * std::abs(r) / p);
  return std::exp(-2 * s * s / (l * l)) * std::exp(-r * r / (2 * l * l));
}

Matrix kernel_matrix(const KernelFunction& k, const Matrix& x1, const Matrix& x2, const Vector& theta) {
  return Matrix::NullaryExpr(x1.rows(), x2.rows(), [&](Index i, Index j) { return k(x1(i, 0) - x2(j, 0), theta); });
}

/// Derivative ∂K/∂θ_i by fourth-order finite differences.
Matrix kernel_derivative(const KernelFunction& k, const Matrix& x1, const Matrix& x2, const Vector& theta, Index i) {
  const double h = 1e-3 * theta(i);
  auto at = [&](double steps) { return kernel_matrix(k, x1, x2, theta + steps * h * Vector::Unit(theta.size(), i)); };
  return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h);
}

/// Derivative with respect to raw θ by the paper's appendix, term by term, where K_TT contains no noise.
double appendix_derivative(const Matrix& d_vt, const Matrix& d_tt, const Matrix& k_vt, const Matrix& k_tt, double noise,
                           const Setting& s, double rho) {
  const Vector &z = s.z, &lambda = s.lambda, &y_v = s.holdout.data().y_v, &y_t = s.holdout.data().y_t;
  double sum = -2 * y_v.dot(d_vt * z);
  sum += z.dot(d_vt.transpose() * (k_vt * z));
  sum += z.dot(k_vt.transpose() * (d_vt * z));
  sum += lambda.dot(d_tt * z);
  sum += rho * (noise * z - y_t).dot(d_tt * z);
  sum += rho / 2 * z.dot(k_tt * (d_tt * z));
  sum += rho / 2 * z.dot(d_tt * (k_tt * z));
  return sum;
}

TEST(Lagrangian, GradientIsThePapersAppendixTermByTerm) {
  Random random(235);
  struct Paper {
    const char* kernel;
    KernelFunction k;
  };
  const std::vector<Paper> kernels{
      {"se(l=0.8, s2=1.4)", [](double r, const Vector& t) { return t(1) * se(r, t(0)); }},
      {"lp(l=1.1, p=0.9, s2=0.7)", [](double r, const Vector& t) { return t(2) * lp(r, t(0), t(1)); }},
      {"se(l=1.7, s2=1.2) + lp(l=0.9, p=1.3, s2=0.6)",
       [](double r, const Vector& t) { return t(1) * se(r, t(0)) + t(4) * lp(r, t(2), t(3)); }}};
  const double noise = 0.15;
  for (const auto& [text, k] : kernels) {
    const Kernel kernel = Kernel::parse(text).bind(1);
    for (int trial = 0; trial < 4; ++trial) {
      const Setting s(random, kernel, Noise::parse("0.15"), 30, 1);
      const double rho = random.uniform(0.5, 10);
      const Holdout& data = s.holdout.data();
      const Vector theta = kernel.theta();
      const Matrix k_vt = kernel_matrix(k, data.x_v, data.x_t, theta),
                   k_tt = kernel_matrix(k, data.x_t, data.x_t, theta);
      Vector expected(theta.size() + 1);
      for (Index i = 0; i < theta.size(); ++i) {
        expected(i) =
            appendix_derivative(kernel_derivative(k, data.x_v, data.x_t, theta, i),
                                kernel_derivative(k, data.x_t, data.x_t, theta, i), k_vt, k_tt, noise, s, rho);
      }
      // The derivative with respect to the noise, which the paper omits, is λᵀz + ρ zᵀ(Cz − y_T).
      const Vector constraint = k_tt * s.z + noise * s.z - data.y_t;
      expected(theta.size()) = s.lambda.dot(s.z) + rho * s.z.dot(constraint);

      const Vector raw = s.start().array().exp();
      const QuadraticPenalty none = QuadraticPenalty::none(raw.size());
      const Coordinates in_theta(s.problem, true), in_log(s.problem, false);
      const ThetaLagrangian of_theta(s.holdout, in_theta, s.z, s.lambda, rho, none);
      const ThetaLagrangian of_log(s.holdout, in_log, s.z, s.lambda, rho, none);
      EXPECT_LT((of_theta.gradient(of_theta.at(raw)) - expected).norm(), 1e-8 * expected.norm()) << text;
      const Vector chained = expected.cwiseProduct(raw);
      EXPECT_LT((of_log.gradient(of_log.at(s.start())) - chained).norm(), 1e-8 * chained.norm()) << text;
    }
  }
}

TEST(Lagrangian, IsNeverBelowItsLowerBound) {
  Random random(236);
  for (int trial = 0; trial < 20; ++trial) {
    const Kernel kernel = Kernel::parse(random_expression(random, 1, 1)).bind(1);
    const Setting s(random, kernel, Noise::parse("0.2"), 25, 1);
    const double rho = random.uniform(0.5, 20);
    const Coordinates coordinates(s.problem, false);
    // The z with C z = y_T − λ/ρ has the least terms in e.
    const Evaluated at =
        ThetaLagrangian(s.holdout, coordinates, s.z, s.lambda, rho, some_pull(random, s.start().size())).at(s.start());
    const Matrix c = at.system->covariance_times(Matrix::Identity(s.z.size(), s.z.size()));
    const Vector z = c.ldlt().solve(s.holdout.data().y_t - s.lambda / rho);
    for (const bool least : {false, true}) {
      const Vector& some = least ? z : s.z;
      const ThetaLagrangian lagrangian(s.holdout, coordinates, some, s.lambda, rho,
                                       QuadraticPenalty::none(s.start().size()));
      const Evaluated e = lagrangian.at(s.start());
      EXPECT_GE(lagrangian.value(e), lagrangian.lower_bound());
      if (least) {
        EXPECT_NEAR(lagrangian.value(e) - e.residual.squaredNorm(), lagrangian.lower_bound(), 1e-6);
      }
    }
  }
}

TEST(Coordinates, GoThereAndBackAndKnowTheirBox) {
  Random random(237);
  const Setting s(random, Kernel::parse("se(l=0.5 in [0.1, 2]) + lp(l=1, p=0.7 in [0.3, 0.9])").bind(1),
                  Noise::parse("0.2"), 20, 1);
  for (bool raw : {false, true}) {
    const Coordinates coordinates(s.problem, raw);
    EXPECT_EQ(coordinates.raw(), raw);
    const Vector u = s.start(), q = coordinates.from_log(u);
    EXPECT_LT((coordinates.to_log(q) - u).norm(), 1e-14 * (1 + u.norm()));
    EXPECT_EQ(q(0), raw ? std::exp(u(0)) : u(0));
    EXPECT_TRUE(coordinates.inside(q));
    EXPECT_NEAR(coordinates.lower()(0), raw ? 0.1 : std::log(0.1), 1e-12);
    EXPECT_NEAR(coordinates.upper()(0), raw ? 2 : std::log(2), 1e-12);
    Vector outside = q;
    outside(0) = coordinates.upper()(0) + 1;
    EXPECT_FALSE(coordinates.inside(outside));
    EXPECT_TRUE(coordinates.inside(coordinates.clipped(outside)));
    EXPECT_EQ(coordinates.clipped(outside)(0), coordinates.upper()(0));
    EXPECT_TRUE(coordinates.touching(q).empty());
    EXPECT_EQ(coordinates.touching(coordinates.clipped(outside)), std::vector<Index>{0});
    // ∂ log θ/∂q
    const Matrix chain = central_differences([&](const Vector& at) { return coordinates.to_log(at); }, q);
    EXPECT_LT((Matrix(coordinates.chain(q).asDiagonal()) - chain).norm(), 1e-6 * chain.norm());
  }
}

}  // namespace
}  // namespace gpcv
