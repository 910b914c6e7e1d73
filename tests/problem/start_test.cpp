#include "problem/data_scales.hpp"

#include <gtest/gtest.h>

#include "problem/parameters.hpp"

namespace gpcv {
namespace {

Problem problem(const std::string& kernel, Index d = 2) {
  Random random(71);
  Problem p;
  p.x.resize(100, d);
  for (double& x : p.x.reshaped()) x = random.normal();
  p.x.col(0) *= 50;
  p.y.resize(100);
  for (double& y : p.y) y = 3 * random.normal();
  p.kernel = Kernel::parse(kernel).bind(d);
  return p;
}

TEST(Start, DefaultsFollowTheScalesOfTheData) {
  const Problem started = with_default_start(problem("se(ard)"));
  const Vector theta = started.kernel.theta();
  EXPECT_NEAR(theta(0) / theta(1), 50, 15);
  EXPECT_NEAR(theta(2), 9, 3);
  EXPECT_NEAR(started.noise.variance, 0.9, 0.3);
}

TEST(Start, StatedValuesStay) {
  Problem p = problem("se(l=[7,0.25], s2=2) + lp(l=3, p=0.5:fixed)");
  p.noise = Noise::parse("0.03");
  const Problem started = with_default_start(p);
  EXPECT_EQ(started.kernel.parameters()[0].value, 7);
  EXPECT_EQ(started.kernel.parameters()[1].value, 0.25);
  EXPECT_EQ(started.kernel.parameters()[2].value, 2);
  EXPECT_EQ(started.noise.variance, 0.03);
}

TEST(Start, BoundsHoldTheStartAndObeyTheUser) {
  Problem p = problem("se(l=1e9, s2=2 in [1,3])");
  const LogParameters u = log_parameters(p);
  EXPECT_NEAR(std::exp(u.upper(0)), 1e9, 1);
  EXPECT_NEAR(std::exp(u.lower(1)), 1, 1e-12);
  EXPECT_NEAR(std::exp(u.upper(1)), 3, 1e-12);
  EXPECT_TRUE((u.lower.array() < u.upper.array()).all());
}

TEST(Start, RandomStartsStayInsideTheBounds) {
  Random random(72);
  const Problem p = with_default_start(problem("se(ard) + lp(p=2 in [1.9,2.1])"));
  const LogParameters u = log_parameters(p);
  Vector previous = u.value;
  for (int i = 0; i < 100; ++i) {
    const Vector start = random_start(p, random);
    EXPECT_TRUE((start.array() >= u.lower.array()).all() && (start.array() <= u.upper.array()).all());
    EXPECT_NE(start, previous);
    previous = start;
  }
}

TEST(Start, ConstantColumnsDoNoHarm) {
  Problem p = problem("se(ard) * periodic");
  p.x.col(1).setConstant(4);
  const Problem started = with_default_start(p);
  EXPECT_TRUE(started.kernel.theta().allFinite());
  EXPECT_TRUE(log_parameters(started).lower.allFinite());
}

}  // namespace
}  // namespace gpcv
