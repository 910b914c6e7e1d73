/// The paper preset against Algorithm 1 written with explicit matrices.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <string>
#include <vector>

#include "problem/parameters.hpp"
#include "support/dense_holdout.hpp"

namespace gpcv {
namespace {

Problem hold_out(const std::string& truth, const std::string& start, Index n, std::uint64_t seed) {
  Problem problem = drawn_problem(truth, start, "0.1", n, seed);
  hold_variances(problem.kernel, problem.noise);
  problem.folds = Folds::holdout(n, 0.5, seed);
  return problem;
}

TrainOptions published() {
  TrainOptions options;
  options.trainer = "admm";
  use_paper_preset(options);
  return options;
}

TEST(PaperPreset, HasThePublishedValues) {
  const AdmmOptions admm = AdmmOptions::paper();
  EXPECT_EQ(admm.theta_step, ThetaStep::coordinate);
  EXPECT_TRUE(admm.raw_theta);
  EXPECT_TRUE(admm.published_stop);
  EXPECT_EQ(admm.rho, 5);
  EXPECT_FALSE(admm.rho_dual.has_value());
  EXPECT_FALSE(admm.balance_rho);
  EXPECT_EQ(admm.lambda0, 1);
  EXPECT_EQ(admm.epsilon, 1e-2);
  EXPECT_EQ(admm.perturbation, 0.1);
  EXPECT_EQ(admm.z_step_tolerance, 1e-5);
  EXPECT_EQ(admm.coordinate_gradient, 1e-3);
  EXPECT_EQ(admm.armijo_start, 0.125);
  EXPECT_EQ(admm.armijo_shrink, 0.5);
  EXPECT_EQ(admm.armijo_slope, 0.5);
  EXPECT_FALSE(admm.precondition);
  const TrainOptions options = published();
  EXPECT_EQ(options.max_iterations, 100);
  EXPECT_EQ(options.restarts, 1);
  EXPECT_EQ(options.prior, 0);
  EXPECT_FALSE(options.scan_periods);
  EXPECT_EQ(options.admm.rho, 5);
  EXPECT_EQ(options.trainer, "admm");
}

TEST(PaperPreset, HoldsVariancesAndNoiseOnly) {
  Kernel kernel = Kernel::parse("se(l=2, s2=1.5) + lp(l=1, p=2)").bind(1);
  Noise noise = Noise::parse("0.3");
  hold_variances(kernel, noise);
  EXPECT_TRUE(noise.fixed);
  EXPECT_EQ(noise.variance, 0.3);
  for (const Parameter& p : kernel.parameters()) EXPECT_EQ(p.fixed, p.role == Role::variance) << p.name;
  EXPECT_EQ(kernel.free_parameters().size(), 3u);
}

TEST(PaperPreset, HoldsVariancesBeforeTheKernelIsBound) {
  for (const char* text : {"se", "se(l=2, s2=1.5) + lp(l=1, p=2)", "se(ard) * periodic(p=3)"}) {
    Kernel kernel = Kernel::parse(text);
    Noise noise;
    hold_variances(kernel, noise);
    const Kernel bound = kernel.bind(2);
    for (const Parameter& p : bound.parameters()) EXPECT_EQ(p.fixed, p.role == Role::variance) << text;
    const Kernel again = Kernel::parse(kernel.to_string()).bind(2);
    for (const Parameter& p : again.parameters()) EXPECT_EQ(p.fixed, p.role == Role::variance) << kernel.to_string();
  }
}

/// Algorithm 1 in raw θ: coordinate descent with Armijo's rule, a direct solve for z, and the dual step.
class Algorithm1 {
 public:
  Algorithm1(const Problem& problem, std::uint64_t seed)
      : problem_(problem), data_(Holdout::of(problem.x, problem.y, problem.folds.folds[0])) {
    const LogParameters box = log_parameters(problem);
    lower_ = box.lower.array().exp();
    upper_ = box.upper.array().exp();
    theta_ = problem.kernel.theta();
    Random random(seed);
    Vector perturbed = theta_;
    for (double& value : perturbed) value = std::abs(value + 0.1 * random.normal());
    z_ = at(perturbed).weights();
    lambda_ = Vector::Ones(z_.size());
  }

  void iterate() {
    constexpr double rho = 5;
    for (Index i = 0; i < theta_.size(); ++i) minimize_coordinate(i);
    const DenseHoldout now = at(theta_);
    // z solves 2 Σ z + b = 0.
    const Vector b = now.c * lambda_ - rho * now.c * now.y_t - 2 * now.k_vt.transpose() * now.y_v;
    z_ = now.sigma(rho).ldlt().solve(-0.5 * b);
    lambda_ += rho * (now.c * z_ - now.y_t);
  }
  const Vector& theta() const { return theta_; }
  const Vector& z() const { return z_; }
  double lagrangian(const Vector& theta) const {
    const DenseHoldout now = at(theta);
    const Vector e = now.c * z_ - now.y_t;
    return (now.y_v - now.k_vt * z_).squaredNorm() + lambda_.dot(e) + 2.5 * e.squaredNorm();
  }

 private:
  DenseHoldout at(const Vector& theta) const {
    return {data_, problem_.kernel.with({theta.data(), static_cast<std::size_t>(theta.size())}),
            problem_.noise.variance};
  }
  void minimize_coordinate(Index i) {
    const Vector unit = Vector::Unit(theta_.size(), i);
    for (int step = 0; step < 200; ++step) {
      constexpr double h = 1e-6;
      const double slope = (lagrangian(theta_ + h * unit) - lagrangian(theta_ - h * unit)) / (2 * h);
      if (std::abs(slope) <= 1e-3) return;
      const double before = lagrangian(theta_);
      double t = 0.125;
      Vector next;
      for (;; t /= 2) {
        next = theta_ - t * slope * unit;
        if (next(i) == theta_(i)) return;
        if (next(i) < lower_(i) || next(i) > upper_(i)) continue;
        if (lagrangian(next) <= before - 0.5 * t * slope * slope) break;
      }
      theta_ = next;
    }
  }

  const Problem& problem_;
  Holdout data_;
  Vector lower_, upper_, theta_, z_, lambda_;
};

void expect_the_same_iterates(const Problem& p, int iterations, double tolerance) {
  TrainOptions options = published();
  options.max_iterations = iterations;
  options.seed = 3;
  const TrainResult result = train(p, options);
  Algorithm1 dense(p, options.seed);
  ASSERT_GE(result.history.size(), 2u);
  for (const IterationRecord& record : result.history) {
    if (record.iteration > 0) dense.iterate();
    ASSERT_EQ(static_cast<Index>(record.theta.size()), dense.theta().size());
    for (Index i = 0; i < dense.theta().size(); ++i) {
      EXPECT_NEAR(record.theta[static_cast<std::size_t>(i)], dense.theta()(i), tolerance)
          << p.kernel.to_string() << ", iteration " << record.iteration;
    }
    EXPECT_NEAR(record.measures[3], dense.z().norm(), 1e-2 * dense.z().norm()) << "iteration " << record.iteration;
    EXPECT_NEAR(record.measures[2], dense.lagrangian(dense.theta()), 1e-2 * (1 + std::abs(record.measures[2])));
  }
  // The published rule stops when θ moves by less than ε.
  const std::vector<double>&last = result.history.back().theta, &before = result.history.end()[-2].theta;
  const double moved = (Eigen::Map<const Vector>(last.data(), static_cast<Index>(last.size())) -
                        Eigen::Map<const Vector>(before.data(), static_cast<Index>(before.size())))
                           .norm();
  EXPECT_EQ(result.status, moved < 1e-2 ? Status::converged : Status::max_iterations);
}

TEST(PaperPreset, FollowsAlgorithm1OnSquaredExponentials) {
  for (std::uint64_t seed : {1, 2}) expect_the_same_iterates(hold_out("se(l=0.6)", "se(l=1)", 100, seed), 8, 1e-3);
}

TEST(PaperPreset, FollowsAlgorithm1OnLocallyPeriodicKernels) {
  expect_the_same_iterates(hold_out("lp(l=1, p=2)", "lp(l=1.2, p=2.1)", 100, 3), 4, 1e-3);
}

TEST(PaperPreset, FollowsAlgorithm1OnSums) {
  expect_the_same_iterates(hold_out("se(l=3) + lp(l=1, p=2)", "se(l=2.5) + lp(l=1.2, p=2)", 100, 4), 4, 1e-3);
}

TEST(PaperPreset, StopsByTheChangeOfThetaAlone) {
  const Problem p = hold_out("se(l=0.6)", "se(l=0.7)", 120, 5);
  const TrainResult result = train(p, published());
  ASSERT_GE(result.history.size(), 2u);
  for (std::size_t i = 1; i < result.history.size(); ++i) {
    const double moved = std::abs(result.history[i].theta[0] - result.history[i - 1].theta[0]);
    const bool last = i + 1 == result.history.size();
    if (!last) {
      EXPECT_GE(moved, 1e-2) << i;
    }
    if (last && result.status == Status::converged) {
      EXPECT_LT(moved, 1e-2);
    }
    EXPECT_EQ(result.history[i].measures[1], 5) << "rho stays";
  }
  EXPECT_EQ(result.noise, 0.1);
  EXPECT_TRUE(std::isfinite(result.objective));
}

}  // namespace
}  // namespace gpcv
