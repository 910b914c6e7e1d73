#include "data/tables/notation.hpp"

#include "data/table_file.hpp"

namespace gpcv {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

double number(std::string_view text, Decimal decimal) {
  const auto found = csv::parse_written(text, decimal);
  return found ? found->value : -1;
}

TEST(Notation, MarksMeanWhatTheDecimalMarkLeaves) {
  EXPECT_EQ(number("1,560", Decimal::point), 1560);
  EXPECT_EQ(number("1,560", Decimal::comma), 1.56);
  EXPECT_EQ(number("-1.234.567,5e1", Decimal::comma), -12345675);
  EXPECT_EQ(number("12 345,6", Decimal::comma), 12345.6);
  EXPECT_EQ(number("12\xC2\xA0"
                   "345.6",
                   Decimal::point),
            12345.6);
  EXPECT_EQ(number("1'234.5", Decimal::point), 1234.5);
  EXPECT_EQ(number("45 %", Decimal::point), 0.45);
  EXPECT_EQ(number("4,5%", Decimal::comma), 0.045);
}

TEST(Notation, GroupsHaveThreeDigits) {
  for (const char* text :
       {"1,56", "1560,000", "0,560", "1,2345", ",560", "1,560,0", "1,,560", "1,5a0", "%", "1,560.5.5"}) {
    EXPECT_FALSE(csv::parse_written(text, Decimal::point)) << text;
  }
  for (const char* text : {"1.5", "0.560", "1,5,6", "1.560.5"}) {
    EXPECT_FALSE(csv::parse_written(text, Decimal::comma)) << text;
  }
}

/// The column p of a table with these cells.
Dataset read_cells(const std::vector<std::string>& cells, Decimal decimal = Decimal::automatic) {
  std::string text = "p;y\n";
  for (const std::string& cell : cells) text += cell + ";1\n";
  ReadOptions options = with_target("y");
  options.decimal = decimal;
  return read_dataset(TableFile(text), options);
}

TEST(WholeColumn, DecidesWhatACommaMeans) {
  EXPECT_EQ(read_cells({"1,560", "1,5"}).x.col(0), (Vector{{1.56, 1.5}}));
  EXPECT_EQ(read_cells({"1,560", "1,234,567"}).x.col(0), (Vector{{1560, 1234567}}));
  EXPECT_EQ(read_cells({"1,560", "1,560.5"}).x.col(0), (Vector{{1560, 1560.5}}));
  EXPECT_EQ(read_cells({"1,560", "0,560"}).x.col(0), (Vector{{1.56, 0.56}})) << "no group begins with 0";
}

TEST(WholeColumn, DecidesAboutRowsBeforeTheComma) {
  EXPECT_EQ(read_cells({"1.560", "2.345", "1.560,5"}).x.col(0), (Vector{{1560, 2345, 1560.5}}));
  EXPECT_EQ(read_cells({"560", "1,560", "2,300", "10,000"}).x.col(0), (Vector{{560, 1560, 2300, 10000}}));
}

TEST(WholeColumn, AnAmbiguousCommaIsRefusedUntilItIsExplained) {
  try {
    read_cells({"1,560", "2,300"});
    ADD_FAILURE() << "this is ambiguous";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr(":2:1: column 'p'"), HasSubstr("'1,560'"), HasSubstr("thousands")));
    EXPECT_EQ(error.remedy(), Remedy::state_decimal);
  }
  EXPECT_EQ(read_cells({"1,560", "2,300"}, Decimal::comma).x.col(0), (Vector{{1.56, 2.3}}));
  EXPECT_EQ(read_cells({"1,560", "2,300"}, Decimal::point).x.col(0), (Vector{{1560, 2300}}));
}

TEST(WholeColumn, WhatWasAssumedIsSaid) {
  const auto note = [](const std::vector<std::string>& cells) {
    const Dataset data = read_cells(cells);
    return data.reading.notes.size() == 1 ? data.reading.notes[0].text : "";
  };
  EXPECT_EQ(note({"1,560", "1,5"}), "column 'p': '1,560' is read as 1.56: commas are decimal marks");
  EXPECT_EQ(note({"1,234,567", "12"}), "column 'p': '1,234,567' is read as 1234567: commas group thousands");
  EXPECT_EQ(note({"12%", "0", "7%"}), "column 'p': '12%' is read as 0.12: percent signs divide by 100");
  EXPECT_EQ(note({"1.5", "2"}), "");
}

TEST(WholeColumn, PercentSignsAreEverywhereOrNowhere) {
  EXPECT_THAT(message_of([] { read_cells({"12%", "7"}); }), HasSubstr("'7' has no percent sign"));
  EXPECT_THAT(message_of([] { read_cells({"12", "7%"}); }), HasSubstr("'7%' has a percent sign"));
}

TEST(WholeColumn, AWordAmongNumbersIsReported) {
  EXPECT_THAT(message_of([] { read_cells({"1,5", "high"}); }), HasSubstr(":3:1: column 'p': 'high' is not a number"));
}

/// The decimal mark that a table shows.
Decimal shown(const std::vector<std::string>& cells, Decimal decimal = Decimal::automatic) {
  return read_cells(cells, decimal).columns.decimal;
}

TEST(TrainingTable, ShowsItsDecimalMark) {
  EXPECT_EQ(shown({"1", "2"}), Decimal::automatic);
  EXPECT_EQ(shown({"1.5", "2"}), Decimal::point);
  EXPECT_EQ(shown({"1,5", "2"}), Decimal::comma);
  EXPECT_EQ(shown({"1,234,567", "2"}), Decimal::point);
  EXPECT_EQ(shown({"1.234.567", "2"}), Decimal::comma);
  EXPECT_EQ(shown({"1 234", "2"}), Decimal::automatic);
  EXPECT_EQ(shown({"45 %", "0"}), Decimal::automatic);
  EXPECT_EQ(shown({"2020-05-01", "2020-05-02"}), Decimal::automatic);
  EXPECT_EQ(shown({"1,234", "2"}, Decimal::comma), Decimal::comma);
  EXPECT_EQ(read_dataset(TableFile("p;q;y\n1,5;1.5;1\n2,5;2.5;2\n"), with_target("y")).columns.decimal,
            Decimal::automatic)
      << "the columns differ";
}

/// The columns p and q of new rows, for a model whose training table had this decimal mark.
Matrix read_new(const std::string& text, Decimal trained, Decimal decimal = Decimal::automatic) {
  Columns columns;
  columns.features = {"p", "q"};
  columns.feature_indices = {0, 1};
  columns.table_columns = 3;
  columns.has_header = true;
  columns.decimal = trained;
  LikeOptions options;
  options.decimal = decimal;
  return read_dataset_like(TableFile("p;q\n" + text), columns, options).x;
}

TEST(TrainingTable, DecidesWhatNewRowsLeaveOpen) {
  const std::string commas = "1,560;1\n2,300;2\n", points = "12;1\n1.560;1\n";
  EXPECT_EQ(read_new(commas, Decimal::comma).col(0), (Vector{{1.56, 2.3}}));
  EXPECT_EQ(read_new(commas, Decimal::point).col(0), (Vector{{1560, 2300}}));
  EXPECT_EQ(read_new(points, Decimal::comma).col(0), (Vector{{12, 1560}}));
  EXPECT_EQ(read_new(points, Decimal::point).col(0), (Vector{{12, 1.56}}));
  EXPECT_EQ(read_new(points, Decimal::automatic).col(0), (Vector{{12, 1.56}}));
  EXPECT_THAT(message_of([&] { read_new(commas, Decimal::automatic); }), HasSubstr("thousands"));
  EXPECT_EQ(read_new(commas, Decimal::comma, Decimal::point).col(0), (Vector{{1560, 2300}})) << "the user decides";
  EXPECT_EQ(read_new("12;1\n1,560;1\n2,300;1\n4,700;1\n", Decimal::comma).col(0), (Vector{{12, 1.56, 2.3, 4.7}}));
}

TEST(TrainingTable, DoesNotDecideAgainstTheNewRows) {
  EXPECT_EQ(read_new("1,560;1\n2,5;2\n", Decimal::point).col(0), (Vector{{1.56, 2.5}}));
  EXPECT_EQ(read_new("1.560;1\n2.5;2\n", Decimal::comma).col(0), (Vector{{1.56, 2.5}}));
  EXPECT_EQ(read_new("1.560;0.5\n2.300;2\n", Decimal::comma).col(0), (Vector{{1.56, 2.3}}))
      << "the other column has points";
  EXPECT_EQ(read_new("1.560;0,5\n2.300;2\n", Decimal::comma).col(0), (Vector{{1560, 2300}}));
  EXPECT_THAT(message_of([] { read_new("1,560;0,5\n2,300;2\n", Decimal::point); }), HasSubstr("thousands"));
}

TEST(WholeColumn, TargetsMustBeNumbers) {
  const TableFile file("x,y\n1,2\n2,high\n");
  try {
    read_dataset(file, with_target("y"));
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr(":3:2: column 'y': 'high'"), HasSubstr("target has to be numeric")));
    EXPECT_EQ(error.remedy(), Remedy::none);
  }
}

}  // namespace
}  // namespace gpcv
