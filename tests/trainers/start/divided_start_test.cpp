#include "trainers/start/divided_start.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.hpp"
#include "problem/data_scales.hpp"
#include "problem/parameters.hpp"

namespace gpcv {
namespace {

Problem with_kernel(const std::string& kernel, Index inputs) {
  Random random(3);
  Problem problem;
  problem.x = Matrix(50, inputs).unaryExpr([&](double) { return random.normal(); });
  problem.y = Vector(50).unaryExpr([&](double) { return random.normal(); });
  problem.kernel = Kernel::parse(kernel).bind(inputs);
  return with_default_start(problem);
}

TEST(DividedStart, IsForInputsThatSeveralPartsShare) {
  EXPECT_TRUE(has_divided_inputs(with_kernel("se(ard) + matern32(ard)", 2)));
  EXPECT_TRUE(has_divided_inputs(with_kernel("se(ard) + se(on=[0])", 2)));
  EXPECT_FALSE(has_divided_inputs(with_kernel("se(ard)", 2)));
  EXPECT_FALSE(has_divided_inputs(with_kernel("se + matern32", 1))) << "one input has nothing to divide";
  EXPECT_FALSE(has_divided_inputs(with_kernel("se(l=[1, 2]) + se(ard)", 2))) << "given lengths stay";
}

TEST(DividedStart, LengthsAreDrawnApartAroundTheirMean) {
  const Problem problem = with_kernel("se(ard) + matern32(ard)", 3);
  const Vector values = log_values(problem), u = divided_start(problem, values, 5);
  const std::vector<Parameter> free = problem.kernel.free_parameters();
  for (Index c = 0; c < 3; ++c) {
    double mean = 0, apart = 0;
    for (std::size_t i = 0; i < free.size(); ++i) {
      if (free[i].role != Role::length_scale || free[i].columns.front() != c) continue;
      mean += (u(static_cast<Index>(i)) - values(static_cast<Index>(i))) / 2;
      apart += std::abs(u(static_cast<Index>(i)) - values(static_cast<Index>(i)));
    }
    EXPECT_NEAR(mean, 0, 1e-12);
    EXPECT_GT(apart, 0.01);
  }
  EXPECT_EQ(u, divided_start(problem, values, 5));
  EXPECT_NE(u, divided_start(problem, values, 6));
}

TEST(DividedStart, AnInputThatOnePartLeavesOutIsWithinReach) {
  const Problem problem = with_kernel("se(ard) + matern32(ard)", 2);
  Vector far = log_values(problem);
  for (Index i = 0; i < 2; ++i) far(i) = std::log(500.0);
  const Vector u = divided_start(problem, far, 1);
  for (Index i = 0; i < 2; ++i) EXPECT_LT(u(i), std::log(500.0) - 1);
}

}  // namespace
}  // namespace gpcv
