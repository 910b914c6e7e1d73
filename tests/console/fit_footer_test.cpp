#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "console/text.hpp"

namespace gpcv::command {
namespace {

using ::testing::HasSubstr;

TEST(FitFooter, PrintsTheNoiseThatHeldOutErrorsShow) {
  FitResult result;
  result.model.scaling = Standardization::identity(1);
  result.model.kernel = Kernel::parse("se(l=1)").bind(1);
  result.model.noise = 0.5;
  result.model.error_scale = {.factor = 2, .added = 3};
  EXPECT_THAT(fit_footer(result, ""), HasSubstr("a standard deviation of 2\n"));
}

TEST(FitFooter, ShowsTheStandardErrorOfEachParameter) {
  FitResult result;
  result.model.scaling = Standardization::identity(1);
  result.model.kernel = Kernel::parse("se(l=1)").bind(1);
  result.training.standard_errors = {{"se.l", 0.16}, {"se.s2", 1}, {"noise", 4}};
  EXPECT_THAT(fit_footer(result, ""), HasSubstr("std error  se.l 16 %, se.s2 a factor of 2.7, noise unknown\n"));
}

TEST(FitFooter, SaysWhereTheModelIs) {
  FitResult result;
  result.model.scaling = Standardization::identity(1);
  result.model.kernel = Kernel::parse("se(l=1)").bind(1);
  EXPECT_THAT(fit_footer(result, ""), HasSubstr("model      not written; -o MODEL.h5 keeps it\n"));
  EXPECT_THAT(fit_footer(result, "co2.h5"), HasSubstr("model      co2.h5\n"));
}

}  // namespace
}  // namespace gpcv::command
