#include "data/table_file.hpp"

namespace gpcv {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// What reading the text says, without the folder in front; must not depend on where the chunks end.
std::string complaint(std::string_view text, const ReadOptions& options = {}) {
  const TableFile file(text);
  std::string result;
  for (std::size_t chunk : {std::size_t{1}, std::size_t{7}, std::size_t{1} << 18}) {
    std::string message = message_of([&] {
      RowReader stream(file, options, chunks_of(chunk));
      Matrix x;
      Vector y;
      while (stream.next(4, x, y) > 0) continue;
    });
    EXPECT_THAT(message, StartsWith(file.path().parent_path().string()));
    message.erase(0, message.find("table.csv"));
    if (!result.empty()) {
      EXPECT_EQ(message, result) << "with chunks of " << chunk;
    }
    result = message;
  }
  return result;
}

TEST(CsvError, AMissingFileIsNamed) {
  TemporaryFolder folder;
  const std::string message = message_of([&] { read_dataset(folder / "no.csv", {}); });
  EXPECT_THAT(message, StartsWith((folder / "no.csv").string() + ": cannot open: No such file"));
}

TEST(CsvError, AFolderIsNotATable) {
  TemporaryFolder folder;
  EXPECT_THAT(message_of([&] { read_dataset(folder.path(), {}); }), HasSubstr("this is a folder"));
}

TEST(CsvError, AnEmptyFileHasNothingToRead) {
  for (const char* text : {"", "\n\n", "  \r\n", "\xEF\xBB\xBF"}) {
    EXPECT_THAT(complaint(text), StartsWith("table.csv:1:1: the file is empty")) << text;
  }
  EXPECT_THAT(complaint(gzipped("")), HasSubstr("the file is empty"));
}

TEST(CsvError, AHeaderAloneIsNotEnough) {
  EXPECT_THAT(complaint("a,b\n"), AllOf(StartsWith("table.csv:1:1: the table has only a header ('a', 'b')")));
  EXPECT_THAT(complaint("1,2\n", with_target("", {}, Header::yes)), HasSubstr("only a header ('1', '2')"));
}

TEST(CsvError, ABinaryFileIsNotATable) {
  using namespace std::string_literals;
  EXPECT_THAT(complaint("a,b\n1,\0002\n"s), AllOf(StartsWith("table.csv:2:2: "), HasSubstr("binary")));
  const TableFile hdf5("\x89HDF\r\n\x1a\n\0\0\0"s);
  EXPECT_THAT(message_of([&] { read_dataset(hdf5, {}); }), HasSubstr("binary"));
}

TEST(CsvError, ARaggedRowSaysHowManyCellsItHas) {
  EXPECT_THAT(complaint("a,b,c\n1,2,3\n4,5\n"), StartsWith("table.csv:3:3: expected 3 cells as in line 1, found 2"));
  EXPECT_THAT(complaint("a,b\n1,2\n3,4,5x,6\n"),
              AllOf(StartsWith("table.csv:3:3: expected 2 cells as in line 1, found 4"), HasSubstr("'5x'")));
  EXPECT_THAT(complaint("a,b\n1,2,3\n"), StartsWith("table.csv:2:3: expected 2 cells"));
}

TEST(CsvError, ABlankLineInsideTheTableIsNamed) {
  EXPECT_THAT(complaint("a,b\n1,2\n\n\n3,4\n"), StartsWith("table.csv:3:1: blank line"));
}

TEST(CsvError, TextIsNotANumber) {
  EXPECT_THAT(complaint("a,b\n1,2\n3,four\n"), AllOf(StartsWith("table.csv:3:2: column 'b': 'four' is not a number"),
                                                     EndsWith("or an ISO date (YYYY-MM-DD)")));
}

TEST(CsvError, LinesArePhysicalEvenAfterQuotedLineEnds) {
  const char* text = "id,note,b\nx,\"two\r\nlines\",1\n\"three\n\n lines\",n,bad\n";
  EXPECT_THAT(complaint(text, with_target("b", {"2"}, Header::automatic)), HasSubstr("target"));
  EXPECT_THAT(complaint(text, with_target("", {"b"})), StartsWith("table.csv:6:3: column 'b': 'bad'"));
}

TEST(CsvError, AColumnHasOneDecimalMark) {
  EXPECT_THAT(complaint("a;b\n1,5;2\n1.25;2\n"),
              AllOf(StartsWith("table.csv:3:1: column 'a': '1.25' is not a number with a decimal comma"),
                    HasSubstr("one way")));
}

TEST(CsvError, AnUndetectedHeaderIsSuspected) {
  EXPECT_THAT(complaint("country,2019\nFR,1\n"),
              AllOf(StartsWith("table.csv:1:1: column 'c0': 'country'"), HasSubstr("header")));
  EXPECT_THAT(complaint("a,b\nx,1\n"), Not(HasSubstr("is a header")));
}

TEST(CsvError, AnEmptyCellIsNamed) {
  EXPECT_THAT(complaint("a,b\n1,2\n3,\n"), StartsWith("table.csv:3:2: column 'b': the cell is empty"));
  EXPECT_THAT(complaint("a,b\n  ,2\n"), StartsWith("table.csv:2:1: column 'a': the cell is empty"));
}

TEST(CsvError, MissingAndInfiniteValuesAreNotNumbers) {
  for (const std::string cell : {"NaN", "inf", "-Infinity", "NA", "null"}) {
    EXPECT_THAT(complaint("a,b\n1,2\n" + cell + ",4\n"),
                StartsWith("table.csv:3:1: column 'a': '" + cell + "' is not a finite number"));
  }
}

TEST(CsvError, NumbersMustFitADouble) {
  EXPECT_THAT(complaint("a,b\n1,1e999\n"),
              StartsWith("table.csv:2:2: column 'b': '1e999' is outside the range of double precision"));
}

TEST(CsvError, AnUnterminatedQuoteIsFoundWhereItOpens) {
  EXPECT_THAT(complaint("a,b\n\"x\ny\",\"open\n3,4\n", with_target("", {"b"})),
              AllOf(StartsWith("table.csv:3:2: "), HasSubstr("never closed"), HasSubstr("'\"open\\n3,4\\n'")));
}

TEST(CsvError, TextBehindAClosingQuoteIsRefused) {
  EXPECT_THAT(complaint("a,b\n1,\"2\"3\n"), AllOf(StartsWith("table.csv:2:2: "), HasSubstr("closing quote")));
}

TEST(CsvError, DatesOutsideTheCalendarAreRefused) {
  EXPECT_THAT(complaint("day,b\n2021-02-28,1\n2021-02-29,2\n"),
              StartsWith("table.csv:3:1: column 'day': '2021-02-29' is not in the calendar"));
}

TEST(CsvError, AColumnIsAllDatesOrAllNumbers) {
  EXPECT_THAT(complaint("t,b\n2021-02-28,1\n2021.5,2\n"),
              StartsWith("table.csv:3:1: column 't': '2021.5' is a number but line 2 holds a date"));
  EXPECT_THAT(complaint("t,b\n2020,1\n2021,1\n2021-02,2\n"),
              StartsWith("table.csv:4:1: column 't': '2021-02' is a date but line 2 holds a number"));
}

TEST(CsvError, DamagedGzipIsNamed) {
  std::string text = "a,b\n";
  for (int i = 0; i < 2000; ++i) text += std::to_string(i * 7919 % 1000) + "," + std::to_string(i) + "\n";
  const std::string packed = gzipped(text);

  EXPECT_THAT(complaint(packed.substr(0, packed.size() / 2)), StartsWith("table.csv: damaged gzip data"));
  EXPECT_THAT(complaint(packed.substr(0, packed.size() - 4)), StartsWith("table.csv: damaged gzip data"));
  EXPECT_THAT(complaint(packed.substr(0, 5)), StartsWith("table.csv: damaged gzip data"));
  std::string wrong_checksum = packed;
  wrong_checksum[packed.size() - 7] ^= 1;
  EXPECT_THAT(complaint(wrong_checksum), StartsWith("table.csv: damaged gzip data"));
}

TEST(CsvError, LongTextIsCutAndControlCharactersAreEscaped) {
  const std::string message = complaint("a,b\n1,\"x\ty\x01" + std::string(500, 'z') + "\"\n");
  EXPECT_THAT(message, HasSubstr("'x\\ty\\x01zzz"));
  EXPECT_THAT(message, HasSubstr("zzz…'"));
  EXPECT_LT(message.size(), 200u);
}

TEST(CsvError, CutTextDoesNotSplitACharacter) {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "ä";
  EXPECT_EQ(csv::excerpt(text).size(), 40 + std::string("''…").size());
  EXPECT_EQ(csv::excerpt("x" + text).size(), 39 + std::string("''…").size());
}

}  // namespace
}  // namespace gpcv
