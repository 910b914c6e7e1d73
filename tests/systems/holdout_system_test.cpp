#include "systems/holdout_system.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "support/dense_holdout.hpp"

namespace gpcv {
namespace {

struct Case {
  Kernel kernel;
  Index d;
};

/// The paper's kernels, one length scale per column, a held value, and expressions at random.
std::vector<Case> assorted_kernels(Random& random) {
  std::vector<Case> cases;
  for (const char* text : {"se(l=0.7, s2=1.3)", "lp(l=1.2, p=0.9, s2=0.6)", "se(l=1.5) + lp(l=0.8, p=1.1, s2=0.4)",
                           "se(l=0.7, s2=1:fixed)"}) {
    cases.push_back({Kernel::parse(text).bind(1), 1});
  }
  cases.push_back({Kernel::parse("se(l=[0.6, 2.5], s2=0.8)").bind(2), 2});
  cases.push_back({Kernel::parse("matern52(ard) + lp(l=2, p=3, on=[1])").bind(3), 3});
  for (int trial = 0; trial < 12; ++trial) {
    const Index d = 1 + static_cast<Index>(random.below(3));
    cases.push_back({Kernel::parse(random_expression(random, d, 1 + static_cast<int>(random.below(2)))).bind(d), d});
  }
  return cases;
}

struct Shape {
  Index training, validation;
};
constexpr Shape shapes[] = {{37, 1}, {1, 1}, {1, 20}, {30, 45}, {70, 33}};

/// Columns (∂K/∂log θ_i) z by central differences of stored matrices.
Matrix dense_derivatives(const Kernel& kernel, const Matrix& x1, const Matrix& x2, const Vector& z) {
  const Vector u = kernel.theta().array().log();
  return central_differences(
      [&](const Vector& at) {
        const Vector theta = at.array().exp();
        const Kernel moved = kernel.with({theta.data(), static_cast<std::size_t>(theta.size())});
        return Vector(dense_kernel(moved.lower(), x1, x2, 1) * z);
      },
      u);
}

TEST(Holdout, TakesTheRowsOfTheFold) {
  Random random(201);
  const Matrix x = random_inputs(random, 12, 2);
  const Vector y = random_inputs(random, 12, 1);
  const Holdout data = Holdout::of(x, y, {{0, 3, 4, 11}, {2, 7}});
  ASSERT_EQ(data.x_t.rows(), 4);
  ASSERT_EQ(data.x_v.rows(), 2);
  EXPECT_EQ(data.x_t.row(3), x.row(11));
  EXPECT_EQ(data.x_v.row(1), x.row(7));
  EXPECT_EQ(data.y_t, Vector(y(std::vector<Index>{0, 3, 4, 11})));
  EXPECT_EQ(data.y_v, Vector(y(std::vector<Index>{2, 7})));
}

TEST(HoldoutSystem, ProductsMatchTheStoredMatrices) {
  Random random(202);
  for (const auto& [kernel, d] : assorted_kernels(random)) {
    for (const auto& [training, validation] : shapes) {
      const Holdout data = random_holdout(random, training, validation, d);
      const double noise = random.uniform(0.05, 0.5);
      const HoldoutSystem system(data, kernel.lower(), noise, {.threads = 2});
      ASSERT_EQ(system.training(), training);
      ASSERT_EQ(system.validation(), validation);
      ASSERT_EQ(system.parameters(), kernel.theta().size());
      const DenseHoldout dense(data, kernel, noise);
      for (Index columns : {1, 3}) {
        const Matrix v = random_inputs(random, training, columns), w = random_inputs(random, validation, columns);
        const Matrix cv = dense.c * v, kv = dense.k_vt * v, kw = dense.k_vt.transpose() * w;
        EXPECT_LT((system.covariance_times(v) - cv).norm(), 1e-11 * (1 + cv.norm())) << kernel.to_string();
        EXPECT_LT((system.predict(v) - kv).norm(), 1e-11 * (1 + kv.norm())) << kernel.to_string();
        EXPECT_LT((system.predict_transposed(w) - kw).norm(), 1e-11 * (1 + kw.norm())) << kernel.to_string();
      }
    }
  }
}

TEST(HoldoutSystem, DerivativesMatchFiniteDifferencesOfTheStoredMatrices) {
  Random random(203);
  for (const auto& [kernel, d] : assorted_kernels(random)) {
    for (const auto& [training, validation] : shapes) {
      const Holdout data = random_holdout(random, training, validation, d);
      const double noise = random.uniform(0.05, 0.5);
      const HoldoutSystem system(data, kernel.lower(), noise, {});
      const Vector z = random_inputs(random, training, 1);
      const Matrix v = dense_derivatives(kernel, data.x_v, data.x_t, z);
      const Matrix t = dense_derivatives(kernel, data.x_t, data.x_t, z);
      const Index p = v.cols();
      for (bool with_noise : {false, true}) {
        const HoldoutVectors found = system.derivatives(z, with_noise);
        ASSERT_EQ(found.v.cols(), p + (with_noise ? 1 : 0));
        ASSERT_EQ(found.t.cols(), found.v.cols());
        EXPECT_LT((found.v.leftCols(p) - v).norm(), 1e-7 * (1 + v.norm())) << kernel.to_string();
        EXPECT_LT((found.t.leftCols(p) - t).norm(), 1e-7 * (1 + t.norm())) << kernel.to_string();
        if (!with_noise) continue;
        EXPECT_EQ(found.v.col(p), Vector::Zero(validation));
        // ∂C/∂log σ² z = σ² z
        EXPECT_LT((found.t.col(p) - noise * z).norm(), 1e-14 * z.norm());
      }
    }
  }
}

TEST(HoldoutSystem, ContractionIsTheInnerProductWithTheDerivatives) {
  Random random(204);
  for (const auto& [kernel, d] : assorted_kernels(random)) {
    for (const auto& [training, validation] : shapes) {
      const Holdout data = random_holdout(random, training, validation, d);
      const HoldoutSystem system(data, kernel.lower(), 0.3, {.threads = 2});
      const Vector z = random_inputs(random, training, 1);
      const Vector u_t = random_inputs(random, training, 1), u_v = random_inputs(random, validation, 1);
      const Vector by_difference = dense_derivatives(kernel, data.x_v, data.x_t, z).transpose() * u_v +
                                   dense_derivatives(kernel, data.x_t, data.x_t, z).transpose() * u_t;
      for (bool with_noise : {false, true}) {
        const HoldoutVectors columns = system.derivatives(z, with_noise);
        const Vector expected = columns.v.transpose() * u_v + columns.t.transpose() * u_t;
        const Vector found = system.contract(u_v, u_t, z, with_noise);
        ASSERT_EQ(found.size(), expected.size());
        EXPECT_LT((found - expected).norm(), 1e-10 * (1 + expected.norm())) << kernel.to_string();
        EXPECT_LT((found.head(by_difference.size()) - by_difference).norm(), 1e-7 * (1 + by_difference.norm()));
      }
    }
  }
}

TEST(HoldoutSystem, MixedPrecisionIsSingleInTheFastProductsAndDoubleInTheExactOnes) {
  Random random(205);
  const Holdout data = random_holdout(random, 150, 60, 2);
  const Kernel kernel = Kernel::parse("se(ard) + matern32(l=0.5)").bind(2);
  const HoldoutSystem mixed(data, kernel.lower(), 0.2, {.precision = Precision::mixed});
  const HoldoutSystem exact(data, kernel.lower(), 0.2, {});
  EXPECT_TRUE(mixed.covariance().has_fast_arithmetic());
  EXPECT_FALSE(exact.covariance().has_fast_arithmetic());
  const Matrix v = random_inputs(random, 150, 2), w = random_inputs(random, 60, 2);
  auto compare = [](const Matrix& fast, const Matrix& slow, const Matrix& expected) {
    const double difference = (fast - expected).norm() / expected.norm();
    EXPECT_LT(difference, 1e-5);
    EXPECT_GT(difference, 1e-12) << "these were computed in double";
    EXPECT_EQ(slow, expected);
  };
  compare(mixed.covariance_times(v, Arithmetic::fast), mixed.covariance_times(v), exact.covariance_times(v));
  compare(mixed.predict(v, Arithmetic::fast), mixed.predict(v), exact.predict(v));
  compare(mixed.predict_transposed(w, Arithmetic::fast), mixed.predict_transposed(w), exact.predict_transposed(w));
  EXPECT_EQ(exact.predict(v, Arithmetic::fast), exact.predict(v));
  // Gradients are always in double.
  const Vector z = v.col(0);
  EXPECT_EQ(mixed.contract(w.col(0), z, z, true), exact.contract(w.col(0), z, z, true));
  EXPECT_EQ(mixed.derivatives(z, true).t, exact.derivatives(z, true).t);
}

TEST(SigmaSystem, ProductsMatchTheStoredMatrix) {
  Random random(206);
  for (const auto& [kernel, d] : assorted_kernels(random)) {
    for (const auto& [training, validation] : shapes) {
      const Holdout data = random_holdout(random, training, validation, d);
      const HoldoutSystem system(data, kernel.lower(), 0.3, {.threads = 2});
      for (double rho : {1e-3, 1.0, 50.0}) {
        const SigmaSystem sigma(system, rho);
        ASSERT_EQ(sigma.rows(), training);
        ASSERT_EQ(sigma.systems(), 1);
        EXPECT_FALSE(sigma.has_fast_arithmetic());
        const Matrix v = random_inputs(random, training, 2);
        Matrix y(training, 2);
        sigma.apply(v, std::vector<int>{0, 0}, y, Arithmetic::exact);
        const Matrix expected = DenseHoldout(data, kernel, 0.3).sigma(rho) * v;
        EXPECT_LT((y - expected).norm(), 1e-10 * (1 + expected.norm())) << kernel.to_string() << ", rho " << rho;
      }
    }
  }
}

TEST(SigmaSystem, MixedPrecisionIsCloseToDouble) {
  Random random(207);
  const Holdout data = random_holdout(random, 120, 40, 1);
  const Kernel kernel = Kernel::parse("se(l=0.4) + lp(l=1, p=0.8)").bind(1);
  const HoldoutSystem system(data, kernel.lower(), 0.1, {.precision = Precision::mixed});
  const SigmaSystem sigma(system, 5);
  EXPECT_TRUE(sigma.has_fast_arithmetic());
  const Matrix v = random_inputs(random, 120, 3);
  Matrix fast(120, 3), exact(120, 3);
  const std::vector<int> of{0, 0, 0};
  sigma.apply(v, of, fast, Arithmetic::fast);
  sigma.apply(v, of, exact, Arithmetic::exact);
  const Matrix expected = DenseHoldout(data, kernel, 0.1).sigma(5) * v;
  EXPECT_LT((exact - expected).norm(), 1e-11 * expected.norm());
  EXPECT_LT((fast - expected).norm(), 1e-5 * expected.norm());
  EXPECT_NE(fast, exact);
}

}  // namespace
}  // namespace gpcv
