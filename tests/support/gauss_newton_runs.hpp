/// Problems and options for tests of the trainer gauss-newton, and what its ends are held against.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <string>

#include "problem/data_scales.hpp"
#include "problem/parameters.hpp"
#include "problem/scale_invariance.hpp"
#include "solvers/dense_cross_validation.hpp"
#include "support/dense_holdout.hpp"

namespace gpcv {

inline Problem folded(const std::string& kernel, const std::string& noise, Index n, std::uint64_t seed,
                      const std::string& truth = "se(l=0.6)") {
  Problem problem = drawn_problem(truth, kernel, noise, n, seed);
  problem.folds = Folds::random(n, 5, seed);
  return problem;
}

/// Least squares, whose optimum other formulas give.
inline TrainOptions plain() {
  TrainOptions options;
  options.trainer = "gauss-newton";
  options.gauss_newton.criterion = Criterion::squared;
  return options;
}

/// One start from the values given, as exact as can be.
inline TrainOptions exact(Solver solver = Solver::automatic) {
  TrainOptions options = plain();
  options.restarts = 1;
  options.start = Start::values;
  options.gauss_newton.tolerance = 1e-10;
  options.gauss_newton.sensitivity_residual = 1e-5;
  options.compute.solver = solver;
  options.compute.precision = Precision::double_;
  return options;
}

/// What is trained: values not given are derived, and one variance is held where a common factor is nobody's choice.
inline Problem determined(const Problem& given) {
  const Problem problem = with_default_start(given);
  return has_free_scale(problem) ? with_scale_held(problem) : problem;
}

inline Vector log_theta(const Problem& problem, const TrainResult& result) {
  Problem end = determined(problem);
  end.kernel = with_values_of(end.kernel, result.kernel);
  end.noise.variance = result.noise;
  return log_parameters(end).value;
}

inline double squared_error(const Problem& problem, const Vector& u) {
  return DenseCrossValidation(kernel_at(problem, u).lower(), noise_at(problem, u), problem.x, problem.y, problem.folds,
                              {})
      .residuals()
      .squaredNorm();
}

/// Gradient in log θ of the error plus W (f⁰/n) ‖u − u⁰‖², over the error.
inline Vector relative_slope(const Problem& given, const Vector& u, double prior) {
  const Problem problem = determined(given);
  const Vector start = log_parameters(problem).value;
  const double weight = prior * squared_error(problem, start) / static_cast<double>(problem.folds.validated());
  const auto objective = [&](const Vector& at) {
    return Vector::Constant(1, squared_error(problem, at) + weight * (at - start).squaredNorm());
  };
  return central_differences(objective, u).transpose() / squared_error(problem, u);
}

inline void expect_usable(const TrainResult& result, const Problem& problem) {
  const Vector theta = theta_of(result, problem);
  EXPECT_TRUE(theta.allFinite()) << result.kernel.to_string();
  EXPECT_GT(theta.minCoeff(), 0);
  EXPECT_NE(result.status, Status::not_run);
  EXPECT_NE(result.message, "");
  for (const IterationRecord& record : result.history) {
    for (double value : record.theta) EXPECT_TRUE(std::isfinite(value) && value > 0) << record.iteration;
    for (double value : record.measures) EXPECT_TRUE(std::isfinite(value)) << record.iteration;
  }
}

}  // namespace gpcv
