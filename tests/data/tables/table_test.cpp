#include "data/tables/table.hpp"

#include <algorithm>
#include <cstring>

#include "data/table_file.hpp"

namespace gpcv::csv {
namespace {

using testing::ElementsAre;

bool detects_header(std::string_view text) {
  const TableFile file(text);
  return Table(file, Header::automatic).has_header();
}

TEST(TableHeader, AllTextInTheFirstRowIsAHeader) {
  EXPECT_TRUE(detects_header("a,b\n1,2\n"));
  EXPECT_TRUE(detects_header("a,b\nx,y\n"));
  EXPECT_TRUE(detects_header("\"a\",\"b\"\n\"1\",\"2\"\n"));
}

TEST(TableHeader, TextAboveANumberOrADateIsAHeader) {
  EXPECT_TRUE(detects_header(",a\n0,1\n"));
  EXPECT_TRUE(detects_header("2019,when\n1,2020-01-01\n"));
}

TEST(TableHeader, NumbersAboveNumbersAreData) {
  EXPECT_FALSE(detects_header("1,2\n3,4\n"));
  EXPECT_FALSE(detects_header("1,2\n"));
  EXPECT_FALSE(detects_header("2020-01-01,2\n2020-01-02,4\n"));
}

TEST(TableHeader, TextAboveTextDoesNotMakeAHeader) { EXPECT_FALSE(detects_header("id1,2\nid2,4\n")); }

TEST(TableHeader, AMissingValueInTheFirstRowIsNotAName) { EXPECT_FALSE(detects_header("NA,2\n3,4\n")); }

TEST(TableHeader, CanBeForced) {
  const TableFile numbers("1,2\n3,4\n"), names("a,b\n3,4\n");
  Table forced(numbers, Header::yes);
  EXPECT_TRUE(forced.has_header());
  EXPECT_THAT(forced.names(), ElementsAre("1", "2"));
  Table denied(names, Header::no);
  EXPECT_FALSE(denied.has_header());
  Row row;
  ASSERT_TRUE(denied.next(row));
  EXPECT_EQ(row.cells[0], "a");
}

TEST(Table, ColumnsWithoutANameAreNumbered) {
  const TableFile bare("1,2,3\n"), partly("x, ,\" y \"\n1,2,3\n");
  EXPECT_THAT(Table(bare, Header::automatic).names(), ElementsAre("c0", "c1", "c2"));
  EXPECT_THAT(Table(partly, Header::automatic).names(), ElementsAre("x", "c1", "y"));
}

TEST(Table, HandsOutEveryRowOnceWithItsLine) {
  for (const char* text : {"10,0\n20,0\n30,0\n", "10,0\n20,0\n", "10,0\n"}) {
    const TableFile file(text);
    Table table(file, Header::automatic);
    Index count = 0;
    for (Row row; table.next(row);) {
      ++count;
      EXPECT_EQ(row.line, count);
      EXPECT_EQ(row.cells[0], std::to_string(10 * count));
    }
    EXPECT_EQ(count, std::count(text, text + std::strlen(text), '\n'));
  }
}

}  // namespace
}  // namespace gpcv::csv
