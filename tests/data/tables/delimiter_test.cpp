#include "data/tables/delimiter.hpp"

#include <gtest/gtest.h>

namespace gpcv::csv {
namespace {

char delimiter_of(std::string_view text) { return detect_delimiter(text, true).value_or('\0'); }

TEST(Delimiter, IsTheOneBetweenTheCells) {
  EXPECT_EQ(delimiter_of("a,b\n1,2\n"), ',');
  EXPECT_EQ(delimiter_of("a\tb\n1\t2\n"), '\t');
  EXPECT_EQ(delimiter_of("a;b\n1;2\n"), ';');
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

}  // namespace
}  // namespace gpcv::csv
