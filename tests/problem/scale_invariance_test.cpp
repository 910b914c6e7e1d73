#include "problem/scale_invariance.hpp"

#include <gtest/gtest.h>

#include "support/dense_holdout.hpp"

namespace gpcv {
namespace {

Problem problem_of(const std::string& kernel, const std::string& noise = "0.1", Index d = 1) {
  Problem problem = drawn_problem("se(l=0.7)", kernel, noise, 40, 5, d);
  problem.folds = Folds::random(40, 4, 1);
  return problem;
}

TEST(Gauge, TheScaleIsFreeWhereNobodyHasSaidHowLargeTheVariancesAre) {
  for (const char* kernel : {"se", "se(l=2, s2=3)", "se(l=2:fixed)", "se + lp", "se(s2=4) + lp(s2=1e-5, p=2)",
                             "matern32 + linear", "rq", "linear"}) {
    EXPECT_TRUE(has_free_scale(problem_of(kernel))) << kernel;
  }
  EXPECT_TRUE(has_free_scale(problem_of("se(ard)", "0.1", 3)));
  EXPECT_TRUE(has_free_scale(problem_of("se(ard) + linear(ard)", "0.1", 3))) << "lengths of linear are amplitudes";
  EXPECT_TRUE(has_free_scale(problem_of("se * linear(ard)", "0.1", 3)));
  EXPECT_FALSE(has_free_scale(problem_of("se(ard) + linear(l=[1,2,3]:fixed)", "0.1", 3)));
  EXPECT_TRUE(has_free_scale(problem_of("se(l=1, s2=2) * periodic(s2=1:fixed, p=2)")));
}

TEST(Gauge, AProductIsFreeWhileOneOfItsVariancesIs) {
  for (const char* kernel : {"se * periodic", "se * periodic(p=2)", "(se + lp) * periodic", "se * periodic + linear"}) {
    EXPECT_TRUE(has_free_scale(problem_of(kernel))) << kernel;
  }
  // Doubling both would give four times the kernel.
  EXPECT_FALSE(has_free_scale(problem_of("se(s2=2) * periodic(s2=3, p=2)")));
}

TEST(Gauge, TheScaleIsNotFreeWhereSomethingIsHeldOrBounded) {
  EXPECT_FALSE(has_free_scale(problem_of("se", "0.1:fixed")));
  EXPECT_FALSE(has_free_scale(problem_of("se(s2=1:fixed)")));
  EXPECT_FALSE(has_free_scale(problem_of("se(s2=1:fixed) + lp")));
  EXPECT_FALSE(has_free_scale(problem_of("se + lp(s2=1:fixed, p=2)")));
  EXPECT_FALSE(has_free_scale(problem_of("se(s2=1 in [0.1, 10])")));
  EXPECT_FALSE(has_free_scale(problem_of("se + lp(s2=1 in [0.1, 10], p=2)")));
  // Also where it shows in a few rows only.
  Problem last_rows = problem_of("se + linear(s2=1:fixed)");
  last_rows.x.topRows(38).setZero();
  EXPECT_FALSE(has_free_scale(last_rows));
}

TEST(Gauge, PredictionsDoNotSeeTheScale) {
  for (const char* kernel : {"se", "se(l=0.6, s2=2) + lp(l=1, p=2, s2=0.3)", "matern52 + linear",
                             "se(ard) + linear(ard)", "se * linear(ard) + linear(ard)"}) {
    const Problem p = problem_of(kernel, "0.1", std::string(kernel).find("ard") == std::string::npos ? 1 : 3);
    ASSERT_TRUE(has_free_scale(p));
    for (double factor : {1e-4, 0.5, 30.0}) {
      for (const Fold& fold : p.folds.folds) {
        const Holdout data = Holdout::of(p.x, p.y, fold);
        const Vector now = DenseHoldout(data, p.kernel, p.noise.variance).residual();
        const Vector after = DenseHoldout(data, scaled(p.kernel, factor), factor * p.noise.variance).residual();
        EXPECT_LT((now - after).norm(), 1e-9 * now.norm()) << kernel << ", " << factor;
      }
    }
  }
}

TEST(Gauge, ScalingLeavesHeldVariancesAndEverythingElse) {
  const Kernel kernel = Kernel::parse("se(l=2, s2=3) + lp(l=1, p=2, s2=0.5:fixed)").bind(1);
  const Kernel twice = scaled(kernel, 2);
  for (std::size_t i = 0; i < kernel.parameters().size(); ++i) {
    const Parameter& before = kernel.parameters()[i];
    const double factor = before.role == Role::variance && !before.fixed ? 2 : 1;
    EXPECT_EQ(twice.parameters()[i].value, factor * before.value) << before.name;
    EXPECT_EQ(twice.parameters()[i].fixed, before.fixed);
  }
}

TEST(Gauge, HoldingTheScaleHoldsOneVarianceWhereItStands) {
  const Problem p = problem_of("se(l=2, s2=3) + lp(l=1, p=2, s2=0.5)");
  const Problem held = with_scale_held(p);
  EXPECT_EQ(held.kernel.free_parameters().size() + 1, p.kernel.free_parameters().size());
  EXPECT_FALSE(has_free_scale(held));
  std::size_t changed = 0;
  for (std::size_t i = 0; i < p.kernel.parameters().size(); ++i) {
    EXPECT_EQ(held.kernel.parameters()[i].value, p.kernel.parameters()[i].value);
    changed += held.kernel.parameters()[i].fixed != p.kernel.parameters()[i].fixed ? 1 : 0;
  }
  EXPECT_EQ(changed, 1u);
  EXPECT_EQ(held.noise.fixed, p.noise.fixed);
}

TEST(Gauge, ValuesAreTakenOverAndFreedomIsNot) {
  const Kernel like = Kernel::parse("se(l=2, s2=3)").bind(1), values = Kernel::parse("se(l=5, s2=7:fixed)").bind(1);
  const Kernel both = with_values_of(like, values);
  EXPECT_EQ(both.theta(), (Vector{{5, 7}}));
  EXPECT_EQ(both.free_parameters().size(), 2u);
}

}  // namespace
}  // namespace gpcv
