/// Derivatives in log-parameters against central differences.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/evaluate.hpp"
#include "support/random_kernel.hpp"

namespace gpcv {
namespace {

/// Largest difference between the gradient and central differences, relative to 1 + |k|.
double gradient_error(const Kernel& kernel, const Vector& x, const Vector& x2) {
  const KernelProgram program = kernel.lower();
  std::vector<double> gradient(static_cast<std::size_t>(program.parameters));
  PairEvaluator pair(program);
  const double k = pair.gradient(x.data(), x2.data(), gradient);
  EXPECT_DOUBLE_EQ(k, pair.value(x.data(), x2.data()));
  const Vector theta = kernel.theta();
  double worst = 0;
  for (Index i = 0; i < theta.size(); ++i) {
    constexpr double h = 1e-5;
    auto at = [&](double shift) {
      Vector moved = theta;
      moved(i) *= std::exp(shift);
      const KernelProgram other = kernel.with({moved.data(), static_cast<std::size_t>(moved.size())}).lower();
      return PairEvaluator(other).value(x.data(), x2.data());
    };
    // Fourth order: (8(f(h) − f(−h)) − (f(2h) − f(−2h))) / 12h
    const double difference = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    const double error = std::abs(gradient[static_cast<std::size_t>(i)] - difference) / (1 + std::abs(k));
    if (!(error <= worst)) worst = error;  // keeps a NaN
  }
  return worst;
}

TEST(KernelDerivative, EveryKernelAndParameterMatchesFiniteDifferences) {
  Random random(11);
  for (Index d : {1, 3, 8}) {
    for (const std::string& name : family_names()) {
      for (const char* form : {"", "(ard)"}) {
        if (name == "const" && *form != '\0') continue;
        Kernel kernel = Kernel::parse(name + form).bind(d);
        for (int trial = 0; trial < 20; ++trial) {
          Vector theta = kernel.theta();
          for (double& t : theta) t = std::exp(0.5 * random.normal());
          kernel = kernel.with({theta.data(), static_cast<std::size_t>(theta.size())});
          const Matrix x = random_inputs(random, 2, d);
          EXPECT_LT(gradient_error(kernel, x.row(0), x.row(1)), 1e-8) << kernel.to_string();
        }
      }
    }
  }
}

TEST(KernelDerivative, CompositionsUpToDepthThreeMatchFiniteDifferences) {
  Random random(12);
  for (int trial = 0; trial < 400; ++trial) {
    const Index d = std::vector<Index>{1, 3, 8}[random.below(3)];
    const Kernel kernel = Kernel::parse(random_expression(random, d, 1 + static_cast<int>(random.below(3)))).bind(d);
    const Matrix x = random_inputs(random, 2, d);
    EXPECT_LT(gradient_error(kernel, x.row(0), x.row(1)), 1e-7) << kernel.to_string();
  }
}

TEST(KernelDerivative, CoincidentPointsGiveNoNan) {
  Random random(13);
  for (int trial = 0; trial < 200; ++trial) {
    const Index d = 1 + static_cast<Index>(random.below(4));
    const Kernel kernel = Kernel::parse(random_expression(random, d, 1 + static_cast<int>(random.below(3)))).bind(d);
    const Matrix x = random_inputs(random, 1, d);
    EXPECT_LT(gradient_error(kernel, x.row(0), x.row(0)), 1e-7) << kernel.to_string();
  }
}

TEST(KernelDerivative, PointsEqualInSomeColumnsGiveNoNan) {
  for (const std::string& name : family_names()) {
    if (name == "const") continue;
    const Kernel kernel = Kernel::parse(name + "(ard)").bind(3);
    EXPECT_LT(gradient_error(kernel, Vector{{0.3, 1, 2}}, Vector{{0.3, 0.5, 2}}), 1e-8) << name;
  }
}

TEST(KernelDerivative, TiedParameterCollectsBothUses) {
  const Kernel kernel = Kernel::parse("se(l=0.8@a) * matern32(l=@a) + lp(l=@a, p=1.3)").bind(2);
  EXPECT_EQ(kernel.free_parameters().size(), 4u);  // a, se.s2, lp.p, lp.s2
  EXPECT_LT(gradient_error(kernel, Vector{{0.1, 0.7}}, Vector{{0.9, -0.2}}), 1e-8);
}

TEST(KernelDerivative, HeldParametersAreNotPartOfTheta) {
  const Kernel kernel = Kernel::parse("se(l=3:fixed, s2=2) + periodic(l=[1:fixed,2], p=1)").bind(2);
  EXPECT_EQ(kernel.free_parameters().size(), 4u);  // se.s2, periodic.l[1], periodic.p, periodic.s2
  EXPECT_LT(gradient_error(kernel, Vector{{0.1, 0.7}}, Vector{{0.9, -0.2}}), 1e-8);
}

}  // namespace
}  // namespace gpcv
