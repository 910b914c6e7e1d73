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

TEST(WholeColumn, ZerosMayHaveAPercentSignOrNone) {
  EXPECT_EQ(read_cells({"0%", "1%", "2%"}).x.col(0), (Vector{{0, 0.01, 0.02}}));
  EXPECT_EQ(read_cells({"0.0%", "0 %", "5%", "0"}).x.col(0), (Vector{{0, 0, 0.05, 0}}));
  EXPECT_EQ(read_cells({"0", "0", "5%", "0%"}).x.col(0), (Vector{{0, 0, 0.05, 0}}));
  EXPECT_THAT(message_of([] { read_cells({"0%", "7"}); }), HasSubstr("'7' has no percent sign"));
  EXPECT_THAT(message_of([] { read_cells({"0", "7", "0%"}); }), HasSubstr("'0%' has a percent sign"));
}

TEST(WholeColumn, OfTrueAndFalseIsOneAndZero) {
  const Dataset data = read_cells({"TRUE", "false", "True"});
  EXPECT_EQ(data.x.col(0), (Vector{{1, 0, 1}}));
  ASSERT_EQ(data.reading.notes.size(), 1u);
  EXPECT_EQ(data.reading.notes[0].text, "column 'p': 'TRUE' is read as 1: the words TRUE and FALSE are 1 and 0");
  EXPECT_THAT(message_of([] { read_cells({"TRUE", "1"}); }), HasSubstr("'1' is a number but line 2 holds 'TRUE'"));
  EXPECT_THAT(message_of([] { read_cells({"1", "TRUE"}); }), HasSubstr("'TRUE' is not a number"));
  EXPECT_THAT(message_of([] { read_cells({"TRUE", "maybe"}); }), HasSubstr("'maybe' is not a number"));
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

/// The first input of a table with columns x and y.
Vector read_points(const std::string& rows, Decimal decimal = Decimal::automatic) {
  ReadOptions options = with_target("y");
  options.decimal = decimal;
  return read_dataset(TableFile("x;y\n" + rows), options).x.col(0);
}

TEST(WholeTable, ADecimalCommaSaysThatPointsOfOtherColumnsGroupThousands) {
  const std::string rows = "1.100;1,34\n1.250;2,2\n1.300;2,9\n1.900;4,1\n";
  EXPECT_EQ(read_points(rows), (Vector{{1100, 1250, 1300, 1900}}));
  EXPECT_EQ(read_points("1.100;1\n1.250;2\n1.300;2,9\n"), (Vector{{1100, 1250, 1300}})) << "known late";
  EXPECT_EQ(read_points("1.1;1,34\n1.250;2,2\n"), (Vector{{1.1, 1.25}})) << "1.1 is no number of groups";
  EXPECT_EQ(read_points(rows, Decimal::comma), (Vector{{1100, 1250, 1300, 1900}}));
  const Dataset data = read_dataset(TableFile("x;y\n" + rows), with_target("y"));
  EXPECT_EQ(data.columns.decimal, Decimal::comma);
  ASSERT_EQ(data.reading.notes.size(), 2u);
  EXPECT_EQ(data.reading.notes[0].text, "column 'x': '1.100' is read as 1100: points group thousands");
}

TEST(WholeTable, OfBothMarksLeavesPointsAmbiguous) {
  const TableFile file("x;z;y\n1.100;2.5;1,34\n1.250;3.5;2,2\n");
  try {
    read_dataset(file, with_target("y"));
    ADD_FAILURE() << "this is ambiguous";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr(":2:1: column 'x'"), HasSubstr("'1.100'"), HasSubstr("thousands")));
    EXPECT_EQ(error.remedy(), Remedy::state_decimal);
  }
}

/// The remedy for the word in a column of these cells.
Remedy remedy_for(const std::vector<std::string>& cells) {
  try {
    read_cells(cells);
  } catch (const InputError& error) {
    return error.remedy();
  }
  return Remedy::none;
}

TEST(WholeColumn, DecidesWhatToDoAboutWords) {
  std::vector<std::string> few, different, categories;
  for (int i = 0; i < 20; ++i) {
    few.push_back(i == 15 ? "off" : std::to_string(i));
    different.push_back("p" + std::to_string(i));
    categories.emplace_back(i % 2 == 0 ? "red" : "blue");
  }
  EXPECT_EQ(remedy_for(few), Remedy::make_categorical_or_missing);
  EXPECT_EQ(remedy_for(different), Remedy::name_id_column);
  EXPECT_EQ(remedy_for(categories), Remedy::make_categorical);
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
