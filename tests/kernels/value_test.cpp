/// Values of each kernel against its formula, written out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "gpcv/kernel.hpp"
#include "kernels/evaluate.hpp"

namespace gpcv {
namespace {

double value(const std::string& text, std::vector<double> x, std::vector<double> x2) {
  const KernelProgram program = Kernel::parse(text).bind(static_cast<Index>(x.size())).lower();
  return PairEvaluator(program).value(x.data(), x2.data());
}

constexpr double pi = std::numbers::pi;

TEST(KernelValue, SquaredExponential) { EXPECT_DOUBLE_EQ(value("se(l=2, s2=3)", {1}, {4}), 3 * std::exp(-9.0 / 8)); }

TEST(KernelValue, SquaredExponentialWithOneLengthScalePerColumn) {
  EXPECT_DOUBLE_EQ(value("se(l=[2,0.5], s2=3)", {1, 0}, {4, 1}), 3 * std::exp(-0.5 * (9.0 / 4 + 4)));
}

TEST(KernelValue, LocallyPeriodicUsesOneLengthScaleInBothFactors) {
  const double s = std::sin(pi * 0.3 / 2);
  EXPECT_NEAR(value("lp(l=0.7, p=2, s2=1.5)", {0.3}, {0}),
              1.5 * std::exp(-2 * s * s / 0.49) * std::exp(-0.09 / (2 * 0.49)), 1e-15);
}

TEST(KernelValue, PeriodicRepeats) {
  const double s = std::sin(pi * 0.3 / 2);
  EXPECT_NEAR(value("periodic(l=0.7, p=2)", {0.3}, {0}), std::exp(-2 * s * s / 0.49), 1e-15);
  EXPECT_NEAR(value("periodic(l=0.7, p=2)", {2000.3}, {0}), std::exp(-2 * s * s / 0.49), 1e-11);
}

TEST(KernelValue, MaternFamily) {
  const double r = 1.5;
  EXPECT_DOUBLE_EQ(value("matern12(l=2)", {0}, {3}), std::exp(-r));
  EXPECT_DOUBLE_EQ(value("matern32(l=2)", {0}, {3}), (1 + std::sqrt(3) * r) * std::exp(-std::sqrt(3) * r));
  EXPECT_DOUBLE_EQ(value("matern52(l=2)", {0}, {3}),
                   (1 + std::sqrt(5) * r + 5 * r * r / 3) * std::exp(-std::sqrt(5) * r));
}

TEST(KernelValue, RationalQuadratic) {
  EXPECT_NEAR(value("rq(l=2, alpha=0.5, s2=2)", {0}, {3}), 2 * std::pow(1 + 2.25, -0.5), 1e-15);
}

TEST(KernelValue, RationalQuadraticApproachesSquaredExponential) {
  EXPECT_NEAR(value("rq(l=2, alpha=1e8)", {0}, {3}), value("se(l=2)", {0}, {3}), 1e-7);
}

TEST(KernelValue, LinearAndConstant) {
  EXPECT_DOUBLE_EQ(value("linear(s2=2)", {1, 2}, {3, 4}), 2 * (3 + 8));
  EXPECT_DOUBLE_EQ(value("linear(l=[1,2], s2=2)", {1, 2}, {3, 4}), 2 * (3 + 8.0 / 4));
  EXPECT_DOUBLE_EQ(value("const(s2=2)", {1, 2}, {3, 4}), 2);
}

TEST(KernelValue, SumsAndProductsCombine) {
  EXPECT_DOUBLE_EQ(value("(se + const(s2=2)) * linear(s2=3)", {1}, {2}), (std::exp(-0.5) + 2) * 6);
}

TEST(KernelValue, OnRestrictsTheColumns) {
  EXPECT_DOUBLE_EQ(value("se(on=[1])", {100, 1, 7}, {-3, 2, 0}), std::exp(-0.5));
}

TEST(KernelValue, DistancesThatOverflowGiveZeroAndNoNan) {
  for (const char* text : {"se", "lp", "matern12", "matern32", "matern52", "rq"}) {
    const KernelProgram program = Kernel::parse(text).bind(1).lower();
    PairEvaluator pair(program);
    const double far = 1e200, near = -1e200;
    std::vector<double> gradient(static_cast<std::size_t>(program.parameters));
    EXPECT_NEAR(pair.gradient(&far, &near, gradient), 0, 1e-100) << text;
    for (double g : gradient) EXPECT_NEAR(g, 0, 1e-90) << text;
  }
}

}  // namespace
}  // namespace gpcv
