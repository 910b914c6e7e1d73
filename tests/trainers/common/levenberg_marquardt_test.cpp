#include "trainers/common/levenberg_marquardt.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

namespace gpcv {
namespace {

struct Point {
  Vector q;
  double value = 0;
};

/// The Rosenbrock function as a sum of squares: R = [10 (y − x²), 1 − x], with its minimum at (1, 1).
Vector residuals(const Vector& q) { return Vector{{10 * (q(1) - q(0) * q(0)), 1 - q(0)}}; }
Point evaluate(const Vector& q) { return {q, residuals(q).squaredNorm()}; }
NormalEquations normal(const Point& at) {
  const Matrix j{{-20 * at.q(0), 10}, {-1, 0}};
  return {j.transpose() * j, j.transpose() * residuals(at.q)};
}
Vector anywhere(const Vector& q) { return q; }

TEST(LevenbergMarquardt, FollowsTheValleyToItsEnd) {
  double damping = 1e-3;
  Point at = evaluate(Vector{{-1.2, 1.0}});
  for (int call = 0; call < 30; ++call) {
    const double before = at.value;
    at = levenberg_marquardt(at, evaluate, normal, anywhere, Vector::Ones(2), damping, {});
    EXPECT_LE(at.value, before);
  }
  EXPECT_LT((at.q - Vector::Ones(2)).norm(), 1e-6);
}

TEST(LevenbergMarquardt, TakesNoMoreThanItsStepsAndTries) {
  for (int steps : {1, 2}) {
    double damping = 1e-3;
    int evaluations = 0, linearisations = 0;
    levenberg_marquardt(
        evaluate(Vector{{-1.2, 1.0}}),
        [&](const Vector& q) {
          ++evaluations;
          return evaluate(q);
        },
        [&](const Point& at) {
          ++linearisations;
          return normal(at);
        },
        anywhere, Vector::Ones(2), damping, {.steps = steps, .tries = 50});
    EXPECT_EQ(linearisations, steps);
    EXPECT_GE(evaluations, steps);
  }
  double damping = 1e-3;
  int evaluations = 0;
  const Point stuck = levenberg_marquardt(evaluate(Vector{{-1.2, 1.0}}),
                                          [&](const Vector& q) {
                                            ++evaluations;
                                            return Point{q, std::numeric_limits<double>::infinity()};
                                          },
                                          normal, anywhere, Vector::Ones(2), damping, {.tries = 5});
  EXPECT_EQ(evaluations, 5);
  EXPECT_EQ(stuck.q, (Vector{{-1.2, 1.0}}));
}

TEST(LevenbergMarquardt, NoStepIsLongerThanAllowed) {
  double damping = 1e-9;
  const Vector start{{3.0, 40.0}}, unit{{0.5, 2.0}};
  levenberg_marquardt(evaluate(start),
                      [&](const Vector& q) {
                        EXPECT_LE((q - start).cwiseQuotient(unit).cwiseAbs().maxCoeff(), 0.3 * (1 + 1e-12));
                        return evaluate(q);
                      },
                      normal, anywhere, unit, damping, {.steps = 1, .longest = 0.3});
}

TEST(LevenbergMarquardt, StaysInsideTheBoxAndFindsItsEdge) {
  double damping = 1e-3;
  auto clip = [](const Vector& q) { return Vector(q.cwiseMin(0.5).cwiseMax(-2.0)); };
  Point at = evaluate(Vector{{-1.2, 0.3}});
  for (int call = 0; call < 60; ++call) {
    at = levenberg_marquardt(at, evaluate, normal, clip, Vector::Ones(2), damping, {});
    EXPECT_LE(at.q.maxCoeff(), 0.5);
  }
  // On the edge x = 1/2, the minimum has y = x².
  EXPECT_NEAR(at.q(0), 0.5, 1e-6);
  EXPECT_NEAR(at.q(1), 0.25, 1e-4);
}

TEST(LevenbergMarquardt, APointThatCannotBeEvaluatedIsNotTaken) {
  double damping = 1e-3;
  // The function is undefined for x > 0.
  auto partly = [](const Vector& q) {
    return q(0) > 0 ? Point{q, std::numeric_limits<double>::quiet_NaN()} : evaluate(q);
  };
  Point at = partly(Vector{{-1.2, 1.0}});
  for (int call = 0; call < 20; ++call) {
    at = levenberg_marquardt(at, partly, normal, anywhere, Vector::Ones(2), damping, {});
    EXPECT_TRUE(std::isfinite(at.value));
  }
  EXPECT_LE(at.q(0), 0);
  EXPECT_LT(at.value, evaluate(Vector{{-0.5, 0.25}}).value);
}

TEST(LevenbergMarquardt, MovesAgainAfterManyCallsThatCouldNotMove) {
  // The caller keeps the damping, which must stay bounded where rounding hides every decrease, as at a minimum.
  double damping = 1e-3;
  const Point start = evaluate(Vector{{-1.2, 1.0}});
  auto nowhere = [](const Vector& q) { return Point{q, std::numeric_limits<double>::infinity()}; };
  for (int call = 0; call < 40; ++call) {
    levenberg_marquardt(start, nowhere, normal, anywhere, Vector::Ones(2), damping, {});
  }
  EXPECT_TRUE(std::isfinite(damping));
  Point at = start;
  for (int call = 0; call < 40; ++call) {
    at = levenberg_marquardt(at, evaluate, normal, anywhere, Vector::Ones(2), damping, {});
  }
  EXPECT_LT((at.q - Vector::Ones(2)).norm(), 1e-3) << "damping " << damping;
}

TEST(LevenbergMarquardt, ADirectionWithoutCurvatureDoesNotHurt) {
  double damping = 1e-3;
  // R = x − 3 does not depend on y.
  auto flat = [](const Vector& q) { return Point{q, (q(0) - 3) * (q(0) - 3)}; };
  auto equations = [](const Point& at) {
    const Matrix j{{1, 0}};
    return NormalEquations{j.transpose() * j, j.transpose() * Vector::Constant(1, at.q(0) - 3)};
  };
  Point at = flat(Vector{{0.0, 7.0}});
  for (int call = 0; call < 10; ++call) {
    at = levenberg_marquardt(at, flat, equations, anywhere, Vector::Ones(2), damping, {});
  }
  EXPECT_NEAR(at.q(0), 3, 1e-6);
  EXPECT_EQ(at.q(1), 7);
}

}  // namespace
}  // namespace gpcv
