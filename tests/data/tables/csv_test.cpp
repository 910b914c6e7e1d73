#include "data/tables/csv.hpp"

#include "data/table_file.hpp"

namespace gpcv::csv {
namespace {

using testing::ElementsAre;
using Cells = std::vector<std::string>;

struct ReadRows {
  std::vector<Cells> rows;
  std::vector<Index> lines;
};

ReadRows read_rows(std::string_view text, std::size_t chunk_bytes) {
  const TableFile file(text);
  Reader reader(file, chunks_of(chunk_bytes));
  ReadRows result;
  for (Row row; reader.next(row);) {
    result.rows.emplace_back(row.cells.begin(), row.cells.end());
    result.lines.push_back(row.line);
  }
  return result;
}

/// Every behaviour must hold wherever the chunks happen to end.
class CsvReader : public testing::TestWithParam<std::size_t> {
 protected:
  ReadRows read(std::string_view text) const { return read_rows(text, GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(ChunksOf, CsvReader, testing::Values(1, 2, 3, 4, 5, 7, 11, 64, 1 << 18),
                         testing::PrintToStringParamName());

TEST_P(CsvReader, SplitsRowsAndCells) {
  const auto table = read("a,bc,\n1,,22\n");
  EXPECT_THAT(table.rows, ElementsAre(Cells{"a", "bc", ""}, Cells{"1", "", "22"}));
  EXPECT_THAT(table.lines, ElementsAre(1, 2));
}

TEST_P(CsvReader, TheLastLineNeedsNoLineEnd) {
  EXPECT_THAT(read("a,b\n1,2").rows, ElementsAre(Cells{"a", "b"}, Cells{"1", "2"}));
  EXPECT_THAT(read("a,b\n1,").rows, ElementsAre(Cells{"a", "b"}, Cells{"1", ""}));
  EXPECT_THAT(read("a,b\n1,\"2\"").rows, ElementsAre(Cells{"a", "b"}, Cells{"1", "2"}));
}

TEST_P(CsvReader, AcceptsEveryLineEnd) {
  for (const char* text : {"a,b\n1,2\n", "a,b\r\n1,2\r\n", "a,b\r1,2\r", "a,b\r\n1,2\r"}) {
    const auto table = read(text);
    EXPECT_THAT(table.rows, ElementsAre(Cells{"a", "b"}, Cells{"1", "2"}));
    EXPECT_THAT(table.lines, ElementsAre(1, 2));
  }
}

TEST_P(CsvReader, QuotedCellsHoldDelimitersQuotesAndLineEnds) {
  const auto table = read("\"a,b\",\"say \"\"hi\"\"\",\"\"\n\"x\r\ny\nz\",\"\"\"\",2\n3,4,5\n");
  EXPECT_THAT(table.rows,
              ElementsAre(Cells{"a,b", "say \"hi\"", ""}, Cells{"x\r\ny\nz", "\"", "2"}, Cells{"3", "4", "5"}));
  EXPECT_THAT(table.lines, ElementsAre(1, 2, 5));
}

TEST_P(CsvReader, QuotesInsideAnUnquotedCellAreText) {
  EXPECT_THAT(read("5\" pipe,b\n1,2\n").rows.front(), ElementsAre("5\" pipe", "b"));
}

TEST_P(CsvReader, BlanksAroundQuotesAreDropped) {
  EXPECT_THAT(read("a,  \"b, c\" ,d\n1,2,3\n").rows.front(), ElementsAre("a", "b, c", "d"));
}

TEST_P(CsvReader, TabsSeparateAndAreNotBlanksInATabSeparatedTable) {
  EXPECT_THAT(read("a\t\t\"b\"\tc\n1\t\t2\t\n").rows, ElementsAre(Cells{"a", "", "b", "c"}, Cells{"1", "", "2", ""}));
}

TEST_P(CsvReader, TheByteOrderMarkIsNotPartOfTheFirstCell) {
  EXPECT_THAT(read("\xEF\xBB\xBF"
                   "a,b\n1,2\n")
                  .rows.front(),
              ElementsAre("a", "b"));
  EXPECT_THAT(read("\xEF\xBB\xBF"
                   "\"a\",b\n1,2\n")
                  .rows.front(),
              ElementsAre("a", "b"));
  EXPECT_THAT(read("\xEF\xBB\xBF").rows, ElementsAre());
}

TEST_P(CsvReader, BlankLinesAroundTheTableAreSkipped) {
  const auto table = read("\n  \na,b\n1,2\n\r\n\n  \n");
  EXPECT_THAT(table.rows, ElementsAre(Cells{"a", "b"}, Cells{"1", "2"}));
  EXPECT_THAT(table.lines, ElementsAre(3, 4));
}

TEST_P(CsvReader, AnEmptyQuotedCellIsNotABlankLine) {
  EXPECT_THAT(read("x\n\"\"\n1\n").rows, ElementsAre(Cells{"x"}, Cells{""}, Cells{"1"}));
}

TEST_P(CsvReader, GzipIsRecognisedByItsBytes) {
  EXPECT_THAT(read(gzipped("a,b\n1,2\n")).rows, ElementsAre(Cells{"a", "b"}, Cells{"1", "2"}));
}

TEST_P(CsvReader, JoinsTheMembersOfAGzipFile) {
  EXPECT_THAT(read(gzipped("a,b\n1,") + gzipped("2\n")).rows, ElementsAre(Cells{"a", "b"}, Cells{"1", "2"}));
}

TEST_P(CsvReader, AnEmptyFileHasNoRows) { EXPECT_THAT(read("").rows, ElementsAre()); }

TEST(CsvReaderLimits, RowsLongerThanAChunkAreRead) {
  const std::string wide(100'000, '7');
  const auto table = read_rows("a,b\n" + wide + ",\"" + wide + "\"\n", 1 << 12);
  EXPECT_THAT(table.rows.back(), ElementsAre(wide, wide));
}

TEST(CsvReaderLimits, AForgottenQuoteDoesNotSwallowTheFile) {
  std::string text = "a,b\n1,2\n3,\"4\n";
  for (int i = 0; i < 10'000; ++i) text += "5,6\n";
  const TableFile file(text);
  ReaderOptions options = chunks_of(512);
  options.longest_row = 4096;
  const std::string message = message_of([&] {
    Reader reader(file, options);
    for (Row row; reader.next(row);) continue;
  });
  EXPECT_THAT(message, testing::HasSubstr("table.csv:3:2: "));
  EXPECT_THAT(message, testing::HasSubstr("longer than 4096 bytes"));
}

}  // namespace
}  // namespace gpcv::csv
