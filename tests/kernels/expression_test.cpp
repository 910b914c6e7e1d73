/// Building, binding and changing kernels from C++.
#include <gtest/gtest.h>

#include "gpcv/error.hpp"
#include "gpcv/kernel.hpp"

namespace gpcv {
namespace {

std::vector<std::string> free_names(const Kernel& kernel) {
  std::vector<std::string> names;
  for (const Parameter& p : kernel.free_parameters()) names.push_back(p.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(KernelExpression, OperatorsReadLikeMathematics) {
  const Kernel kernel = (Kernel::parse("se") + Kernel::parse("lp")) * Kernel::parse("rq");
  EXPECT_EQ(kernel.to_string(), "(se + lp) * rq");
  EXPECT_EQ(kernel, Kernel::parse("(se + lp) * rq"));
}

TEST(KernelExpression, EqualLabelsAreTiedAcrossOperators) {
  const Kernel a = Kernel::parse("se(l=0.5@a)"), b = Kernel::parse("lp(l=0.5@a)");
  EXPECT_EQ((a + b).to_string(), "se(l=0.5@a) + lp(l=@a)");
  EXPECT_THROW(a + Kernel::parse("lp(l=0.6@a)"), InputError);
}

TEST(KernelExpression, NamesAreUniqueAndSayWhere) {
  EXPECT_EQ(free_names(Kernel::parse("se + lp").bind(1)), (Names{"se.l", "se.s2", "lp.l", "lp.p", "lp.s2"}));
  EXPECT_EQ(free_names(Kernel::parse("se + se(ard, on=[1,2])").bind(3)),
            (Names{"se1.l", "se1.s2", "se2.l[1]", "se2.l[2]", "se2.s2"}));
  EXPECT_EQ(free_names(Kernel::parse("se(l=1@a) + se(l=@a)").bind(1)), (Names{"a", "se1.s2", "se2.s2"}));
}

TEST(KernelExpression, AProductHasOneFreeVariance) {
  EXPECT_EQ(free_names(Kernel::parse("se * periodic").bind(1)), (Names{"se.l", "se.s2", "periodic.l", "periodic.p"}));
  EXPECT_EQ(free_names(Kernel::parse("se * periodic(s2=2)").bind(1)),
            (Names{"se.l", "periodic.l", "periodic.p", "periodic.s2"}));
  EXPECT_EQ(free_names(Kernel::parse("rq * (se + const)").bind(1)),
            (Names{"rq.l", "rq.alpha", "se.l", "se.s2", "const.s2"}));
  EXPECT_EQ(free_names(Kernel::parse("(se + const) * (lp + linear)").bind(1)),
            (Names{"se.l", "se.s2", "const.s2", "lp.l", "lp.p", "linear.s2"}));
  EXPECT_EQ(free_names(Kernel::parse("se(s2=1) * rq(s2=1)").bind(1)),
            (Names{"se.l", "se.s2", "rq.l", "rq.alpha", "rq.s2"}));
}

TEST(KernelExpression, BindingSpreadsArdOverTheColumns) {
  const Kernel kernel = Kernel::parse("matern52(ard, l=0.7)").bind(3);
  EXPECT_EQ(kernel.inputs(), 3);
  EXPECT_EQ(kernel.to_string(), "matern52(l=[0.7,0.7,0.7])");
  EXPECT_EQ(kernel.bind(3), kernel);
  EXPECT_THROW(kernel.bind(4), InputError);
  EXPECT_THROW(Kernel::parse("se(on=[0,3])").bind(3), InputError);
  EXPECT_THROW(Kernel::parse("se(l=[1,2])").bind(3), InputError);
  EXPECT_THROW(Kernel::parse("se").bind(0), InputError);
}

TEST(KernelExpression, LengthScalesKnowTheirColumns) {
  const Kernel kernel = Kernel::parse("se(ard, on=[2,0]) + lp(on=[1])").bind(3);
  const std::vector<Parameter> free = kernel.free_parameters();
  EXPECT_EQ(free[0].columns, std::vector<Index>{2});
  EXPECT_EQ(free[1].columns, std::vector<Index>{0});
  EXPECT_EQ(free[3].columns, std::vector<Index>{1});
}

TEST(KernelExpression, WithReplacesTheFreeValuesOnly) {
  const Kernel kernel = Kernel::parse("se(l=3, s2=1:fixed) + lp(l=1, p=2)").bind(1);
  const std::vector<double> theta{4, 5, 6, 7};
  EXPECT_EQ(kernel.with(theta).to_string(), "se(l=4, s2=1:fixed) + lp(l=5, p=6, s2=7)");
  EXPECT_EQ(kernel.to_string(), "se(l=3, s2=1:fixed) + lp(l=1, p=2)");
}

TEST(KernelExpression, WithRefusesValuesThatAreNotPositiveAndFinite) {
  const Kernel kernel = Kernel::parse("se").bind(1);
  for (double bad : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(kernel.with(std::vector<double>{1, bad}), InputError);
  }
  EXPECT_THROW(kernel.with(std::vector<double>{1}), InputError);
  EXPECT_THROW(kernel.with(std::vector<double>{1, 1, 1}), InputError);
}

TEST(KernelExpression, LoweringNeedsABoundKernel) { EXPECT_THROW(Kernel::parse("se").lower(), InputError); }

}  // namespace
}  // namespace gpcv
