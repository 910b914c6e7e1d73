#include "gpcv/diagnosis.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "core/random.hpp"
#include "data/table_file.hpp"

namespace gpcv {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Inputs and target independent and normal.
Dataset normal_data(Index rows, Index inputs, std::uint64_t seed = 1) {
  Random random(seed);
  Dataset data;
  data.x.resize(rows, inputs);
  data.y.resize(rows);
  for (double& value : data.x.reshaped()) value = random.normal();
  for (double& value : data.y) value = random.normal();
  for (Index j = 0; j < inputs; ++j) data.columns.features.push_back(std::string(1, static_cast<char>('a' + j)));
  data.columns.target = "y";
  return data;
}

std::vector<std::string> codes(const std::vector<Finding>& findings) {
  std::vector<std::string> result;
  for (const Finding& finding : findings) result.push_back(finding.code);
  return result;
}

/// The only finding besides the size, as "severity: text"; what else there is when it is not the only one.
std::string only(const std::vector<Finding>& findings, const std::string& code) {
  EXPECT_THAT(codes(findings), ElementsAre("size", code));
  if (findings.size() != 2) return "";
  const Finding& found = findings[1];
  EXPECT_EQ(found.text.find('\n'), std::string::npos) << found.text;
  return std::string(name_of(found.severity)) + ": " + found.text;
}

TEST(Diagnosis, IsShortForIndependentNormalColumns) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    for (const Index rows : {100, 1000}) {
      EXPECT_THAT(codes(diagnose(normal_data(rows, 4, seed))), ElementsAre("size")) << seed;
    }
  }
  EXPECT_THAT(codes(diagnose(normal_data(200'000, 3))), ElementsAre("size"));
  EXPECT_EQ(diagnose(normal_data(100, 2))[0].text, "100 rows, 2 inputs ('a', 'b'), target 'y'");
}

TEST(Diagnosis, NamesConstantColumns) {
  Dataset data = normal_data(100, 3);
  data.x.col(1).setConstant(0.1);
  EXPECT_EQ(only(diagnose(data), "constant"), "warning: column 'b' is constant and carries no information");
  EXPECT_EQ(diagnose(data)[1].remedy, Remedy::leave_columns_out);
  EXPECT_THAT(diagnose(data)[1].facts, ElementsAre("b"));
  data.x.col(2).setConstant(7);
  EXPECT_THAT(only(diagnose(data), "constant"), HasSubstr("columns 'b', 'c' are constant and carry no information"));
}

TEST(Diagnosis, NamesColumnsThatSayTheSame) {
  Dataset data = normal_data(1000, 3);
  data.x.col(2) = data.x.col(0);
  EXPECT_EQ(only(diagnose(data), "same-columns"), "warning: 'c' equals 'a': the same information twice");
  EXPECT_EQ(diagnose(data)[1].remedy, Remedy::leave_one_column_out);
  data.x.col(2) = -2.5 * data.x.col(0);
  EXPECT_THAT(only(diagnose(data), "same-columns"), HasSubstr("'c' is -2.5 times 'a'"));
  data.x.col(2) = (32 + 1.8 * data.x.col(0).array()).matrix();
  EXPECT_THAT(only(diagnose(data), "same-columns"), HasSubstr("'c' is 32 plus 1.8 times 'a'"));
  data.x.col(2) = (5 - 2 * data.x.col(0).array()).matrix();
  EXPECT_THAT(only(diagnose(data), "same-columns"), HasSubstr("'c' is 5 minus 2 times 'a'"));
  // As written with six digits.
  data.x.col(2) = (data.x.col(0) * 3e6).array().round() / 1e6;
  EXPECT_THAT(only(diagnose(data), "same-columns"), HasSubstr("'c' is 3 times 'a'"));
  data.x.col(1) = data.x.col(0);
  EXPECT_THAT(only(diagnose(data), "same-columns"), HasSubstr("'b' equals 'a', 'c' is 3 times 'a'"));
}

TEST(Diagnosis, DoesNotTakeACorrelationForARelation) {
  Dataset data = normal_data(1000, 3);
  data.x.col(2) = data.x.col(0);
  data.x(500, 2) += 1e-3;
  EXPECT_THAT(codes(diagnose(data)), ElementsAre("size"));
}

TEST(Diagnosis, SeesThroughSparseColumns) {
  Dataset data = normal_data(10'000, 3);
  data.x.col(1).setZero();
  data.x(17, 1) = data.x(4711, 1) = 1;
  data.x.col(2) = data.x.col(1);
  EXPECT_THAT(only(diagnose(data), "same-columns"), HasSubstr("'c' equals 'b'"));
}

TEST(Diagnosis, NamesAnInputThatIsTheTarget) {
  Dataset data = normal_data(1000, 2);
  data.x.col(1) = 4 * data.y;
  EXPECT_EQ(only(diagnose(data), "leak"),
            "warning: the target 'y' is 0.25 times 'b': leave that input out unless it is known before the target is");
}

TEST(Diagnosis, CountsRepeatedRows) {
  Dataset data = normal_data(1000, 2);
  for (const Index i : {10, 20, 30}) {
    data.x.row(i) = data.x.row(5);
    data.y(i) = data.y(5);
  }
  EXPECT_THAT(only(diagnose(data), "same-rows"), HasSubstr("warning: 3 rows repeat an earlier one in every cell"));
  data.x.row(5).setConstant(-0.0);
  data.x.row(10).setConstant(0);
  data.x.row(20) = data.x.row(30) = data.x.row(40).array() + 1;
  data.y(20) += 1;
  const std::vector<Finding> found = diagnose(data);
  EXPECT_THAT(codes(found), ElementsAre("size", "same-rows", "same-inputs"));
  EXPECT_THAT(found[1].text, HasSubstr("1 row repeats an earlier one"));
}

TEST(Diagnosis, TellsTheNoiseOfRepeatedInputs) {
  // Replicates of noise 0.3; copies of rows do not count.
  Dataset data = normal_data(4000, 2);
  Random random(3);
  for (Index i = 0; i < 3000; ++i) {
    const Index from = i - i % 3;
    data.x.row(i) = data.x.row(from);
    data.y(i) = data.x(i, 0) + 0.3 * random.normal();
  }
  const std::string text = only(diagnose(data), "same-inputs");
  EXPECT_THAT(text, HasSubstr("note: 3000 rows share their inputs with others (1000 distinct)"));
  const std::size_t at = text.find("deviation of ") + 13;
  EXPECT_NEAR(std::stod(text.substr(at)), 0.3, 0.3 * 4 / std::sqrt(2 * 2000.0));

  const Index last = data.rows() - 1;
  data.x.row(last) = data.x.row(0);
  data.y(last) = data.y(0);
  const std::vector<Finding> found = diagnose(data);
  EXPECT_THAT(codes(found), ElementsAre("size", "same-rows", "same-inputs"));
  EXPECT_EQ("note: " + found[2].text, text);
}

TEST(Diagnosis, NamesOutliersByRow) {
  Dataset data = normal_data(500, 2);
  data.y(41) = 1000;
  EXPECT_EQ(
      only(diagnose(data), "outliers"),
      "warning: values more than 10 robust standard deviations from the median: 'y' 1 (row 42); correct or remove "
      "them if they are wrong");
  data.x(7, 1) = -300;
  data.x(8, 1) = -200;
  data.x(9, 1) = 500;
  data.x(10, 1) = 400;
  EXPECT_THAT(only(diagnose(data), "outliers"), HasSubstr("'b' 4 (rows 10, 11, 8, …), 'y' 1 (row 42)"));
  // Rows 1 and 5 of the table were left out.
  data.reading.dropped = {0, 4};
  data.reading.missing = {{"a", 2}};
  const std::vector<Finding> found = diagnose(data);
  EXPECT_THAT(codes(found), ElementsAre("size", "missing", "outliers"));
  EXPECT_THAT(found.back().text, HasSubstr("'b' 4 (rows 12, 13, 10, …), 'y' 1 (row 44)"));
}

TEST(Diagnosis, DoesNotComplainOfIndicatorsThatOneColumnMakes) {
  std::string text = "x,sex,y\n";
  Random random(4);
  for (int i = 0; i < 60; ++i) {
    text += fmt::format("{},{},{}\n", random.normal(), i % 3 == 0 ? "m" : "f", random.normal());
  }
  text += "NA,other,3\n";
  ReadOptions read = with_target("y", {"x", "sex"});
  read.categorical = {"sex"};
  read.missing = Missing::drop;
  const TableFile two(text);
  EXPECT_THAT(codes(diagnose(read_dataset(two, read))), ElementsAre("size", "missing"));
  const TableFile one("x,sex,y\n1,m,4\n2,m,2\n3,m,9\n4,m,5\n");
  const std::vector<Finding> found = diagnose(read_dataset(one, read));
  EXPECT_THAT(codes(found), Contains("constant"));
  EXPECT_THAT(at_least(Severity::warning, found).back().text, HasSubstr("column 'sex' is constant"));
}

TEST(Diagnosis, RecommendsALogarithmForLongTails) {
  Dataset data = normal_data(1000, 3);
  data.x.col(1) = data.x.col(1).array().exp().square();
  EXPECT_EQ(only(diagnose(data), "long-tail"),
            "warning: column 'b' is positive with a long tail of large values: use the logarithm");
  data.y = data.x.col(2).array().exp().square();
  data.x.col(2) = normal_data(1000, 1, 9).x;
  EXPECT_THAT(only(diagnose(data), "long-tail"), HasSubstr("columns 'b', 'y' are positive"));
}

TEST(Diagnosis, NamesColumnsOfWildScales) {
  Dataset data = normal_data(1000, 2);
  data.x.col(0) = (10 * data.x.col(0).array()).exp();
  EXPECT_EQ(only(diagnose(data), "scale"),
            "warning: column 'a' spans more than 8 orders of magnitude: use the logarithm, or other units");
  data = normal_data(1000, 2);
  data.x.col(1).array() += 1e12;
  EXPECT_EQ(only(diagnose(data), "scale"),
            "warning: column 'b' varies by less than 1e-8 of the mean, so digits are lost: subtract a constant before "
            "writing the table");
  data = normal_data(1000, 2);
  data.x.col(1) *= 1e-30;
  data.y *= 1e30;
  EXPECT_THAT(codes(diagnose(data)), ElementsAre("size")) << "units are standardised away";
}

TEST(Diagnosis, SuspectsOrderInTime) {
  Dataset data = normal_data(300, 2);
  for (Index i = 1; i < data.rows(); ++i) data.y(i) = 0.9 * data.y(i - 1) + 0.3 * data.y(i);
  const std::string walk = only(diagnose(data), "time-order");
  EXPECT_THAT(walk, HasSubstr("neighbouring rows are alike (the target's correlation from row to row is 0."));
  EXPECT_EQ(diagnose(data)[1].remedy, Remedy::use_structured_folds);
  EXPECT_THAT(codes(diagnose(data, {.ordered_folds = true})), ElementsAre("size"));

  data.x.col(1) = Vector::LinSpaced(300, 0, 10);
  EXPECT_THAT(only(diagnose(data), "time-order"), HasSubstr("('b' never falls, the target's"));
  EXPECT_EQ(diagnose(data)[1].remedy, Remedy::use_time_folds);
  EXPECT_THAT(diagnose(data)[1].facts, ElementsAre("b"));
  data = normal_data(300, 2);
  data.x.col(0) = Vector::LinSpaced(300, 10, 0);
  EXPECT_EQ(only(diagnose(data), "time-order"),
            "warning: rows look ordered in time ('a' never rises): random folds give an optimistic error estimate");
  data = normal_data(300, 2);
  data.columns.features[1] = "first day";
  data.reading.dates = {1};
  EXPECT_THAT(only(diagnose(data), "time-order"), HasSubstr("('first day' holds dates)"));
  EXPECT_THAT(diagnose(data)[1].facts, ElementsAre("first day"));
}

TEST(Diagnosis, DoesNotTakeSortedClassesOrTargetsForTime) {
  Dataset data = normal_data(300, 2);
  data.x.col(0).head(150).setZero();
  data.x.col(0).tail(150).setOnes();
  EXPECT_THAT(codes(diagnose(data)), ElementsAre("size"));
  data = normal_data(300, 2);
  std::sort(data.y.begin(), data.y.end());
  EXPECT_THAT(codes(diagnose(data)), ElementsAre("size"));
}

TEST(Diagnosis, CountsRowsPerInput) {
  EXPECT_EQ(only(diagnose(normal_data(39, 4)), "few-rows"),
            "warning: 39 rows for 4 inputs: with fewer than 10 rows per input length scales are poorly determined");
  EXPECT_EQ(diagnose(normal_data(39, 4))[1].remedy, Remedy::add_rows_or_choose_inputs);
}

TEST(Diagnosis, AsksWhetherFewTargetsAreClasses) {
  Dataset data = normal_data(300, 2);
  data.y = (data.y.array() > 0).cast<double>();
  EXPECT_EQ(only(diagnose(data), "few-values"),
            "warning: the target 'y' has only 2 distinct values: if they are classes, this is not regression and "
            "predictions will lie between them");
}

TEST(Diagnosis, TellsMissingCellsByColumnAndPolicy) {
  const TableFile file("x,note,z,y\n1,,5,2\nNA,q,1,3\n3,w,,\n4,e,2,5\n6,r,3,inf\n");
  ReadOptions read = with_target("y", {"x", "z"});
  read.missing = Missing::drop;
  EXPECT_THAT(message_of([&] { read_dataset(file, read); }),
              HasSubstr(":6:4: column 'y': 'inf' is not a finite number"));

  const TableFile sound("x,note,z,y\n1,,5,2\nNA,q,1,3\n3,w,,\n4,e,2,5\n6,r,3,n/a\n7,t,9,1\n");
  const Dataset data = read_dataset(sound, read);
  EXPECT_EQ(data.x, (Matrix(3, 2) << 1, 5, 4, 2, 7, 9).finished());
  EXPECT_EQ(data.y, (Vector(3) << 2, 5, 1).finished());
  EXPECT_THAT(data.reading.dropped, ElementsAre(1, 2, 4));
  std::vector<Finding> found = diagnose(data);
  ASSERT_GE(found.size(), 2u);
  EXPECT_EQ(found[1].text, "4 cells are missing in 3 rows ('x' 1, 'z' 1, 'y' 2): these rows are left out");
  EXPECT_EQ(found[1].severity, Severity::warning);
  EXPECT_TRUE(would_train(found));

  found = diagnose(data, {.missing = Missing::error});
  EXPECT_EQ(found[1].severity, Severity::error);
  EXPECT_FALSE(would_train(found));
  read.missing = Missing::error;
  const std::string refusal = message_of([&] { read_dataset(sound, read); });
  EXPECT_EQ(found[1].text, refusal + "; 4 cells are missing in 3 rows ('x' 1, 'z' 1, 'y' 2) in all");
  EXPECT_EQ(found[1].remedy, Remedy::drop_missing_rows);
}

TEST(Diagnosis, OfAMissingTimeCountsItOnce) {
  const TableFile file("t,y\n1,2\n,3\n3,5\n");
  ReadOptions read = with_target("y");
  read.time = "t";
  read.missing = Missing::drop;
  const Dataset data = read_dataset(file, read);
  EXPECT_EQ(data.time, (Vector(2) << 1, 3).finished());
  ASSERT_EQ(data.reading.missing.size(), 1u);
  EXPECT_EQ(data.reading.missing[0].second, 1);
}

TEST(Diagnosis, OfTextStaysAnError) {
  const TableFile file("x,y\n1,2\nabc,3\n3,5\n");
  ReadOptions read = with_target("y");
  read.missing = Missing::drop;
  EXPECT_THAT(message_of([&] { read_dataset(file, read); }), HasSubstr(":3:1: column 'x': 'abc' is not a number"));
}

TEST(Diagnosis, OfWhatCannotTrainStopsEarly) {
  EXPECT_THAT(codes(diagnose(normal_data(2, 1))), ElementsAre("size"));
  EXPECT_THAT(codes(diagnose(normal_data(0, 1))), ElementsAre("size"));
  Dataset data = normal_data(100, 2);
  data.x(3, 1) = std::nan("");
  EXPECT_THAT(codes(diagnose(data)), ElementsAre("size"));
}

TEST(Diagnosis, TellsItsSteps) {
  std::vector<std::string> steps;
  diagnose(normal_data(50, 2), {.progress = [&](std::string_view step) { steps.emplace_back(step); }});
  EXPECT_THAT(steps, ElementsAre("columns", "pairs of columns", "rows", "order"));
}

TEST(Diagnosis, KeepsFindingsBySeverity) {
  const std::vector<Finding> all{{Severity::note, "a", ""}, {Severity::warning, "b", ""}, {Severity::error, "c", ""}};
  EXPECT_THAT(codes(at_least(Severity::warning, all)), ElementsAre("b", "c"));
  EXPECT_THAT(codes(at_least(Severity::note, all)), ElementsAre("a", "b", "c"));
}

TEST(Diagnosis, NamesAColumnThatIdentifiesRows) {
  std::string text = "Row_ID,x,y\n";
  for (int i = 0; i < 12; ++i) text += fmt::format("{},{},{}\n", 100 + i, i * i % 7, i * i % 11);
  const TableFile file(text);
  const std::vector<Finding> found = diagnose(read_dataset(file, with_target("y")));
  const auto id = std::find_if(found.begin(), found.end(), [](const Finding& f) { return f.code == "id"; });
  ASSERT_NE(id, found.end());
  EXPECT_EQ(id->remedy, Remedy::name_id_column);
  EXPECT_THAT(id->facts, ElementsAre("Row_ID"));
}

TEST(Diagnosis, NamesTheIndexOfAPandasTable) {
  for (const std::string name : {"", "Unnamed: 0"}) {
    std::string text = name + ",x,y\n";
    for (int i = 0; i < 40; ++i) text += fmt::format("{},{},{}\n", i, i * i % 7, i * i % 11);
    const TableFile file(text);
    const std::vector<Finding> found = diagnose(read_dataset(file, with_target("y")));
    const auto id = std::find_if(found.begin(), found.end(), [](const Finding& f) { return f.code == "id"; });
    ASSERT_NE(id, found.end()) << name;
    EXPECT_THAT(id->facts, ElementsAre(name.empty() ? "c0" : name));
    EXPECT_THAT(codes(found), testing::Not(testing::Contains("time-order"))) << name;
  }
}

TEST(Diagnosis, WarnsOfManyLevelsAndOfDaysReadAsNumbers) {
  std::string text = "kind,day,y\n";
  for (int i = 0; i < 20; ++i) text += fmt::format("k{},202001{:02},{}\n", i % 11, i + 1, i * i % 7);
  const TableFile file(text);
  ReadOptions read = with_target("y");
  read.categorical = {"kind"};
  const auto found = codes(diagnose(read_dataset(file, read)));
  EXPECT_THAT(found, testing::Contains("many-levels"));
  EXPECT_THAT(found, testing::Contains("compact-dates"));
}

}  // namespace
}  // namespace gpcv
