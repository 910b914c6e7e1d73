/// Inputs of a kernel by the names of their columns.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpcv/error.hpp"
#include "gpcv/kernel.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;

/// Inputs age, "wind speed", 3, a"b, größe, and the levels red and green of colour.
Columns table() {
  Columns columns;
  columns.features = {"age", "wind speed", "3", "a\"b", "größe", "colour=red", "colour=green"};
  columns.levels = {"", "", "", "", "", "red", "green"};
  columns.feature_indices = {0, 1, 2, 3, 4, 5, 5};
  return columns;
}

std::string resolved(const char* text) { return Kernel::parse(text).resolved(table()).to_string(); }

std::string refusal(const char* text, const Columns& columns) {
  try {
    Kernel::parse(text).resolved(columns).bind(static_cast<Index>(columns.features.size()));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ColumnNames, StandForNumbers) {
  EXPECT_EQ(resolved("se(on=age)"), "se(on=[0])");
  EXPECT_EQ(resolved("se(on=0)"), "se(on=[0])");
  EXPECT_EQ(resolved("se(on=[größe,0]) + rq(on = \"wind speed\" , alpha=2)"), "se(on=[4,0]) + rq(on=[1], alpha=2)");
  EXPECT_EQ(resolved("se(on='wind speed')"), "se(on=[1])");
  EXPECT_THAT(refusal("se(on=[2,\"3\"])", table()), HasSubstr("twice")) << "the input 2 has the name 3";
}

TEST(ColumnNames, InQuotesMayHaveAnyCharacter) {
  EXPECT_EQ(resolved("se(on=\"3\")"), "se(on=[2])");
  EXPECT_EQ(resolved("se(on=\"a\"\"b\")"), "se(on=[3])");
}

TEST(ColumnNames, OfACategoryMeanAllItsLevels) {
  EXPECT_EQ(resolved("se(ard, on=colour)"), "se(ard, on=[5,6])");
  EXPECT_EQ(resolved("se(on=colour=green)"), "se(on=[6])");
  EXPECT_EQ(resolved("se(on=[age,colour], l=[1,2,3])"), "se(on=[0,5,6], l=[1,2,3])");
}

TEST(ColumnNames, ArePrintedAsTheyCanBeTyped) {
  for (const auto& [written, printed] : {
           std::pair{"se(on=age)", "se(on=age)"},
           std::pair{"se(on=['wind speed',age])", "se(on=[\"wind speed\",age])"},
           std::pair{"se(on='a\"b')", "se(on=\"a\"\"b\")"},
           std::pair{"se(on=\"3\")", "se(on=\"3\")"},
           std::pair{"se(on=größe)", "se(on=größe)"},
           std::pair{"se(on=colour)", "se(on=colour)"},
           std::pair{"se(on=[6,5])", "se(on=[\"colour=green\",\"colour=red\"])"},
           std::pair{"se(on=[0,5,6], l=[1,2,3])", "se(on=[age,colour], l=[1,2,3])"},
       }) {
    const Kernel kernel = Kernel::parse(written).resolved(table()).bind(7);
    const std::string text = kernel.to_string(0, table());
    EXPECT_EQ(text, printed);
    EXPECT_EQ(Kernel::parse(text).resolved(table()).bind(7), kernel);
    EXPECT_EQ(Kernel::parse(Kernel::parse(written).to_string()), Kernel::parse(written));
  }
}

TEST(ColumnNames, ThatSeveralInputsHaveArePrintedAsNumbers) {
  Columns twins;
  twins.features = {"a", "a"};
  twins.feature_indices = {0, 1};
  EXPECT_EQ(Kernel::parse("se(on=[1])").bind(2).to_string(0, twins), "se(on=[1])");
  EXPECT_EQ(Kernel::parse("se(on=[0,1])").bind(2).to_string(0, twins), "se(on=[0,1])");
  EXPECT_THAT(refusal("se(on=a)", twins), HasSubstr("several inputs have this name"));
}

TEST(ColumnNames, ThatDoNotExistAreRefusedWithTheNearest) {
  EXPECT_EQ(refusal("se(on=agee)", table()),
            "the kernel uses the input 'agee', but there is no such input; did you mean 'age'?");
  EXPECT_THAT(refusal("se(on=temperature)", table()), HasSubstr("the inputs are 'age', 'wind speed', '3'"));
  EXPECT_THAT(refusal("se(on=[age,0])", table()), HasSubstr("twice"));
  EXPECT_THAT(refusal("se(on=[colour,age], l=[1,2])", table()), HasSubstr("2 length scales for 3"));
  EXPECT_THROW(Kernel::parse("se(on=age)").bind(1), InputError) << "numbers are all that data without names have";
}

TEST(ColumnNames, AreReadToTheirEnd) {
  for (const auto& [text, position, says] : {
           std::tuple{"se(on=age,weight)", 10u, "on=[age,weight]"},
           std::tuple{"se(on=\"age)", 6u, "not closed"},
           std::tuple{"se(on='')", 6u, "between the quotes"},
           std::tuple{"se(on=)", 6u, "its name"},
           std::tuple{"se(on=[age,age])", 11u, "twice"},
           std::tuple{"se(on=[größe,-1])", 15u, "counted from 0"},
       }) {
    try {
      Kernel::parse(text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const KernelSyntaxError& error) {
      EXPECT_EQ(error.position(), position) << text;
      EXPECT_THAT(error.what(), HasSubstr(says)) << text;
    }
  }
}

TEST(ColumnNames, ACaretStandsBelowItsCharacter) {
  try {
    Kernel::parse("se(on=größe) !");
    ADD_FAILURE();
  } catch (const KernelSyntaxError& error) {
    EXPECT_THAT(error.what(), HasSubstr("\n  se(on=größe) !\n               ^"));
  }
}

}  // namespace
}  // namespace gpcv
