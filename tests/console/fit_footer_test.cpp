#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "console/text.hpp"

namespace gpcv::command {
namespace {

using ::testing::HasSubstr;

/// Result with a kernel of one input.
FitResult result() {
  FitResult out;
  out.model.scaling = Standardization::identity(1);
  out.model.columns.features = {"x"};
  out.model.columns.target = "y";
  out.model.x = Vector::LinSpaced(3, 0, 1);
  out.model.kernel = Kernel::parse("se(l=1, on=[0])").bind(1);
  return out;
}

TEST(FitFooter, PrintsTheNoiseThatHeldOutErrorsShow) {
  FitResult fit = result();
  fit.model.noise = 0.5;
  fit.model.error_scale = {.factor = 2, .added = 3};
  EXPECT_THAT(fit_footer(fit, {}, ""), HasSubstr("a standard deviation of 2 (in the units of y)\n"));
}

TEST(FitFooter, ShowsTheStandardErrorOfEachParameterBesideIt) {
  FitResult fit = result();
  fit.model.provenance.standard_errors = {{"se.l", 0.16}, {"se.s2", 0.2}, {"noise", 4}};
  const std::string text = fit_footer(fit, {}, "");
  EXPECT_THAT(text, HasSubstr("parameters length scale of x  1 (x) ± 16 %\n"
                              "           amplitude          1 (y) ± 10 %\n"));
  EXPECT_THAT(text, HasSubstr("(in the units of y), known to a factor of 7.4\n"));
}

TEST(FitFooter, PrintsAKernelWithTheNamesOfItsInputs) {
  EXPECT_THAT(fit_footer(result(), {}, ""), HasSubstr("kernel     se(on=x, l=1)\n"));
}

TEST(FitFooter, SaysWhereTheModelIs) {
  EXPECT_THAT(fit_footer(result(), {}, ""), HasSubstr("model      not written; -o MODEL.h5 keeps it\n"));
  EXPECT_THAT(fit_footer(result(), {}, "co2.h5"), HasSubstr("model      co2.h5\n"));
}

}  // namespace
}  // namespace gpcv::command
