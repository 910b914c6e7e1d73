#include "trainers/common/minimize.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace gpcv {
namespace {

const double infinity = std::numeric_limits<double>::infinity();

double rosenbrock(const Vector& u, Vector& g) {
  const double a = 1 - u(0), b = u(1) - u(0) * u(0);
  g = Vector{{-2 * a - 400 * u(0) * b, 200 * b}};
  return a * a + 100 * b * b;
}

TEST(Minimize, FindsTheBottomOfACurvedValley) {
  const auto result = minimize(rosenbrock, Vector{{-1.2, 1}}, Vector::Constant(2, -5), Vector::Constant(2, 5), {});
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_NEAR(result.u(0), 1, 1e-4);
  EXPECT_NEAR(result.u(1), 1, 1e-4);
}

TEST(Minimize, StopsAtABoundAndCallsThatConverged) {
  const Objective bowl = [](const Vector& u, Vector& g) {
    g = 2 * (u.array() - 3);
    return (u.array() - 3).square().sum();
  };
  const auto result = minimize(bowl, Vector::Zero(3), Vector::Constant(3, -1), Vector{{1, 10, 10}}, {});
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_NEAR((result.u - Vector{{1, 3, 3}}).norm(), 0, 1e-6);
  EXPECT_LT(result.gradient_norm, 1e-5);
}

TEST(Minimize, SaysWhenTheBudgetRanOut) {
  const auto result =
      minimize(rosenbrock, Vector{{-1.2, 1}}, Vector::Constant(2, -5), Vector::Constant(2, 5), {.max_evaluations = 3});
  EXPECT_EQ(result.status, Status::max_iterations);
  EXPECT_LE(result.evaluations, 3);
  EXPECT_TRUE(std::isfinite(result.value));
}

TEST(Minimize, ReturnsTheBestPointWhenStopped) {
  int calls = 0;
  double best = infinity;
  const auto result = minimize(rosenbrock, Vector{{-1.2, 1}}, Vector::Constant(2, -5), Vector::Constant(2, 5), {},
                               [&](const Vector&, double value, double) {
                                 best = std::min(best, value);
                                 return ++calls < 7;
                               });
  EXPECT_EQ(result.status, Status::stopped);
  EXPECT_EQ(calls, 7);
  EXPECT_EQ(result.value, best);
}

TEST(Minimize, WalksAroundPointsWithoutAValue) {
  const Objective walled = [](const Vector& u, Vector& g) {
    if (u(0) > 2.5) return infinity;
    g = Vector::Constant(1, 2 * (u(0) - 2));
    return (u(0) - 2) * (u(0) - 2);
  };
  const auto result =
      minimize(walled, Vector::Constant(1, -4.0), Vector::Constant(1, -10.0), Vector::Constant(1, 10.0), {});
  EXPECT_NEAR(result.u(0), 2, 1e-4);
}

TEST(Minimize, NothingUsableIsAFailure) {
  const Objective nothing = [](const Vector&, Vector&) { return std::numeric_limits<double>::quiet_NaN(); };
  const auto result = minimize(nothing, Vector::Zero(2), Vector::Constant(2, -1), Vector::Constant(2, 1), {});
  EXPECT_EQ(result.status, Status::numerical_failure);
}

TEST(Minimize, ExceptionsPassThrough) {
  const Objective broken = [](const Vector&, Vector&) -> double { throw std::logic_error("mine"); };
  EXPECT_THROW(minimize(broken, Vector::Zero(2), Vector::Constant(2, -1), Vector::Constant(2, 1), {}),
               std::logic_error);
}

TEST(Minimize, NoParametersMeansOneEvaluation) {
  const auto result = minimize([](const Vector&, Vector&) { return 4.0; }, Vector(0), Vector(0), Vector(0), {});
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.value, 4.0);
}

}  // namespace
}  // namespace gpcv
