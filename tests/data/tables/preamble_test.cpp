#include "data/tables/preamble.hpp"

#include <gtest/gtest.h>

namespace gpcv::csv {
namespace {

char delimiter_of(std::string_view text) { return detect_delimiter(text, true).value_or('\0'); }

TEST(Delimiter, IsTheOneBetweenTheCells) {
  EXPECT_EQ(delimiter_of("a,b\n1,2\n"), ',');
  EXPECT_EQ(delimiter_of("a\tb\n1\t2\n"), '\t');
  EXPECT_EQ(delimiter_of("a;b\n1;2\n"), ';');
  EXPECT_EQ(delimiter_of("a|b\n1|2\n"), '|');
  EXPECT_EQ(delimiter_of("1;2"), ';');
}

TEST(Delimiter, OneColumnFallsBackToAComma) {
  EXPECT_EQ(delimiter_of("x\n1\n2\n"), ',');
  EXPECT_EQ(delimiter_of(""), ',');
}

TEST(Delimiter, CharactersInsideQuotesDoNotCount) {
  EXPECT_EQ(delimiter_of("\"a;b\"\"\n;\",c\n\";\",2\n"), ',');
  EXPECT_EQ(delimiter_of("\"a\tb\", \"c\td\"\n1,2\n"), ',');
}

TEST(Delimiter, MustAppearEquallyOftenInBothRows) {
  EXPECT_EQ(delimiter_of("time;s,value\n1,2\n"), ',');
  EXPECT_EQ(delimiter_of("time;s;UTC,value\n1;2,3\n"), ',');
  EXPECT_EQ(delimiter_of("last, first\tage\nx\t2\n"), '\t');
}

TEST(Delimiter, DecimalCommasDoNotHideSemicolons) { EXPECT_EQ(delimiter_of("1,5;2,5;3,5\n1,0;2,0;3,0\n"), ';'); }

TEST(Delimiter, ARaggedTableTakesTheMostFrequent) { EXPECT_EQ(delimiter_of("a,b,c;d\n1,2\n"), ','); }

TEST(Delimiter, BlankLinesAreNotRows) { EXPECT_EQ(delimiter_of("\r\n\na;b,c\r\n\r\n1;2\r\n"), ';'); }

TEST(Delimiter, AnUnfinishedTextAsksForMore) {
  EXPECT_FALSE(detect_delimiter("a,b", false));
  EXPECT_FALSE(detect_delimiter("a,b\n", false));
  EXPECT_FALSE(detect_delimiter("a,b\n1,", false));
  EXPECT_FALSE(detect_delimiter("\"a,b\n1,2\n", false));
  EXPECT_TRUE(detect_delimiter("a,b\n1,2\n", false));
}

Preamble preamble_of(std::string_view text) { return find_preamble(text, true).value_or(Preamble{}); }

TEST(Preamble, ASpreadsheetNamesItsDelimiter) {
  const std::string_view text = "sep=;\r\na,b;c\r\n1,5;2\r\n";
  EXPECT_EQ(preamble_of(text).delimiter, ';');
  EXPECT_EQ(text.substr(preamble_of(text).size, 3), "a,b");
  EXPECT_EQ(preamble_of("sepal,y\n1,2\n").size, 0u);
}

TEST(Preamble, CommentsAreNotRows) {
  const std::string_view text = "# a station; x, y\n# 2020\n\nx,y\n1,2\n";
  EXPECT_EQ(preamble_of(text).comments, 2);
  EXPECT_EQ(text.substr(preamble_of(text).size), "x,y\n1,2\n");
  EXPECT_EQ(preamble_of(text).delimiter, ',');
}

TEST(Preamble, ACommentAboveNumbersWithAsManyCellsIsTheHeader) {
  const std::string_view text = "# made today\n# x,y\n1,2\n3,4\n";
  EXPECT_EQ(text.substr(preamble_of(text).size), "x,y\n1,2\n3,4\n");
  EXPECT_EQ(preamble_of(text).comments, 1);
  const std::string_view named = "#id,y\nx,y\n1,2\n";
  EXPECT_EQ(named.substr(preamble_of(named).size), "x,y\n1,2\n") << "the table has a header of its own";
}

TEST(Preamble, AnUnfinishedTextAsksForMore) {
  const std::string_view text = "sep=;\n# a comment\nx;y\n1;2\n", declared = "sep=;\n# a comment\nx;y\n";
  for (std::size_t size = 0; size < declared.size(); ++size) {
    EXPECT_FALSE(find_preamble(text.substr(0, size), false)) << size;
  }
  EXPECT_TRUE(find_preamble(declared, false));
  EXPECT_FALSE(find_preamble("# a comment\nx;y\n", false));
}

}  // namespace
}  // namespace gpcv::csv
