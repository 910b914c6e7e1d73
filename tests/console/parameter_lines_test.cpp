#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "console/text.hpp"

namespace gpcv::command {
namespace {

ParameterRow length(const std::string& part, Index column, const std::string& name, double value, double relative) {
  return {part + ".l[" + std::to_string(column) + "]",
          "length scale of " + name,
          "",
          value,
          name,
          0.05,
          "",
          column,
          relative};
}

ParameterRow amplitude(const std::string& part) { return {part + ".s2", "amplitude", "", 2, "price", 0.1, ""}; }

/// Three inputs, of which `age` moves predictions most and `idle` does not.
Diagnostics three_inputs() {
  Diagnostics seen;
  seen.inputs = {{"age", {0}, {}, 1}, {"idle", {1}, {}, 1}, {"size", {2}, {}, 1}};
  seen.relevance = {{0, 10, 1}, {2, 1, 1}, {1, 0.01, 1}};
  return seen;
}

TEST(ParameterLines, BeginWithTheShortestLengthScaleAndFoldInputsWithoutEffect) {
  EXPECT_EQ(parameter_lines(three_inputs(), {length("se", 0, "age", 40, 2), length("se", 1, "idle", 1, 0.1),
                                             length("se", 2, "size", 0.5, 0.3), amplitude("se")}),
            "parameters length scale of size  0.5 (size) ± 5 %\n"
            "           length scale of age   40 (age) ± 5 %\n"
            "           1 input with no effect: idle\n"
            "           amplitude             2 (price) ± 10 %\n");
}

TEST(ParameterLines, KeepPartsOfTheKernelApart) {
  const std::string text = parameter_lines(
      three_inputs(), {length("se1", 0, "age", 40, 2), amplitude("se1"), length("se2", 0, "age", 1, 0.05)});
  EXPECT_EQ(text,
            "parameters of se1\n"
            "           length scale of age  40 (age) ± 5 %\n"
            "           amplitude            2 (price) ± 10 %\n"
            "           of se2\n"
            "           length scale of age  1 (age) ± 5 %\n");
}

TEST(ParameterLines, CountInputsAndNotLevels) {
  Diagnostics seen = three_inputs();
  seen.inputs[1] = {"colour", {1, 3}, {"red", "green"}, 1};
  const std::vector<ParameterRow> rows{length("se", 0, "age", 1, 1), length("se", 1, "colour=red", 1, 1),
                                       length("se", 3, "colour=green", 1, 1)};
  EXPECT_THAT(parameter_lines(seen, rows), ::testing::HasSubstr("\n           1 input with no effect: colour\n"));
}

TEST(ParameterLines, ShortenLongNames) {
  const std::string name = "größe_" + std::string(200, 'x');
  const std::string text = parameter_lines({}, {length("se", 0, name, 1, 1)});
  EXPECT_THAT(text, ::testing::HasSubstr("größe_"));
  EXPECT_LT(text.size(), 120u);
}

TEST(StandardErrorText, IsAPercentageOrAFactor) {
  EXPECT_EQ(standard_error_text(0.16), " ± 16 %");
  EXPECT_EQ(standard_error_text(1), ", known to a factor of 2.7");
  EXPECT_EQ(standard_error_text(4), ", standard error unknown");
  EXPECT_EQ(standard_error_text(std::nan("")), "");
}

}  // namespace
}  // namespace gpcv::command
