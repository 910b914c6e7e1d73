#include "gpcv/dataset.hpp"

#include <limits>

#include "data/table_file.hpp"

namespace gpcv {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ReadDataset, SplitsInputsAndTarget) {
  const TableFile file("a,y,b\n1,2,3\n4,5,6\n");
  const Dataset data = read_dataset(file, with_target("y"));
  EXPECT_EQ(data.x, (Matrix(2, 2) << 1, 3, 4, 6).finished());
  EXPECT_EQ(data.y, (Vector(2) << 2, 5).finished());
  EXPECT_THAT(data.columns.features, ElementsAre("a", "b"));
}

TEST(ReadDataset, FeaturesKeepTheOrderTheyAreAskedIn) {
  const TableFile file("a,y,b\n1,2,3\n");
  EXPECT_EQ(read_dataset(file, with_target("y", {"b", "a"})).x, (Matrix(1, 2) << 3, 1).finished());
}

TEST(ReadDataset, WithoutATargetItIsEmpty) {
  const TableFile file("1,2\n3,4\n");
  const Dataset data = read_dataset(file, {});
  EXPECT_EQ(data.x, (Matrix(2, 2) << 1, 2, 3, 4).finished());
  EXPECT_EQ(data.y.size(), 0);
}

TEST(ReadDataset, ColumnsNobodyAsksForMayHoldAnything) {
  const TableFile file("id,x,note,y\nA1,1,,2\nB2,3,NaN,4\n");
  const Dataset data = read_dataset(file, with_target("y", {"x"}));
  EXPECT_EQ(data.x, (Matrix(2, 1) << 1, 3).finished());
}

TEST(ReadDataset, DatesBecomeDecimalYears) {
  const TableFile file("day,y\n2020-07-01,1\n2021-01,2\n2021-01-01T12:00:00Z,3\n");
  const Dataset data = read_dataset(file, with_target("y"));
  EXPECT_DOUBLE_EQ(data.x(0, 0), 2020 + 182.0 / 366);
  EXPECT_EQ(data.x(1, 0), 2021);
  EXPECT_DOUBLE_EQ(data.x(2, 0), 2021 + 0.5 / 365);
}

TEST(ReadDataset, ATimeColumnIsReadBesideTheFeatures) {
  const TableFile file("day,a,y\n2020-07-01,1,2\n2021-01-01,3,4\n");
  const auto read = [&](const std::string& time, std::vector<std::string> features) {
    ReadOptions options = with_target("y", std::move(features));
    options.time = time;
    return read_dataset(file, options);
  };
  for (const char* time : {"day", "0", "-3"}) {
    const Dataset apart = read(time, {"a"});
    EXPECT_EQ(apart.x, (Matrix(2, 1) << 1, 3).finished());
    ASSERT_EQ(apart.time.size(), 2);
    EXPECT_DOUBLE_EQ(apart.time(0), 2020 + 182.0 / 366);
    EXPECT_EQ(apart.time(1), 2021);
    EXPECT_THAT(apart.columns.features, ElementsAre("a"));
  }
  const Dataset both = read("day", {});
  EXPECT_THAT(both.columns.features, ElementsAre("day", "a"));
  EXPECT_EQ(both.time, both.x.col(0));
  EXPECT_EQ(read("", {"a"}).time.size(), 0);
}

TEST(ReadDataset, ATimeThatIsNoNumberIsNamedByItsPlace) {
  const TableFile file("a,t,y\n1,2,3\n4,soon,6\n");
  ReadOptions options = with_target("y", {"a"});
  options.time = "t";
  EXPECT_THAT(message_of([&] { read_dataset(file, options); }), HasSubstr("table.csv:3:2: column 't': 'soon'"));
}

TEST(ReadDataset, ReadsTablesOfManyBatches) {
  std::string text = "x,y\n";
  const Index rows = 50'001;
  for (Index i = 0; i < rows; ++i) text += std::to_string(i) + "," + std::to_string(-i) + "\n";
  const TableFile file(gzipped(text));
  ReadOptions options = with_target("y");
  options.time = "x";
  const Dataset data = read_dataset(file, options);
  ASSERT_EQ(data.rows(), rows);
  EXPECT_TRUE(data.x.col(0) == Vector::LinSpaced(rows, 0, static_cast<double>(rows - 1)));
  EXPECT_TRUE(data.y == -data.x.col(0));
  EXPECT_TRUE(data.time == data.x.col(0));
}

TEST(ReadDataset, ReadsTheMaunaLoaRecord) {
  const Dataset data =
      read_dataset(std::string(GPCV_SOURCE_DIR) + "/data/mauna_loa_monthly.csv", with_target("CO2", {"Date"}));
  EXPECT_DOUBLE_EQ(data.x(0, 0), 1958 + 59.0 / 365);
  EXPECT_EQ(data.y(0), 315.70);
  EXPECT_NO_THROW(require_trainable(data));
}

TEST(ReadDatasetLike, FindsTheTrainingColumnsAgain) {
  const TableFile training("id,a,b,y\nq,1,2,3\n"), test("y,b,a\n30,20,10\n");
  const Dataset trained = read_dataset(training, with_target("y", {"a", "b"}));
  const Dataset data = read_dataset_like(test, trained.columns, true);
  EXPECT_EQ(data.x, (Matrix(1, 2) << 10, 20).finished());
  EXPECT_EQ(data.y, (Vector(1) << 30).finished());
  EXPECT_EQ(read_dataset_like(test, trained.columns, false).y.size(), 0);
}

TEST(ReadDatasetLike, AnUnwantedTargetMayHoldAnything) {
  const TableFile training("a,y\n1,3\n"), test("a,y\n5,NA\n");
  const Dataset trained = read_dataset(training, with_target("y"));
  EXPECT_EQ(read_dataset_like(test, trained.columns, false).x(0, 0), 5);
  EXPECT_THROW(read_dataset_like(test, trained.columns, true), InputError);
}

TEST(ReadDatasetLike, TheHeaderCanBeForced) {
  const TableFile training("1,2\n3,4\n"), test("5\n6\n");
  const Dataset trained = read_dataset(training, with_target("1"));
  EXPECT_EQ(read_dataset_like(test, trained.columns, false).rows(), 2);
  EXPECT_EQ(read_dataset_like(test, trained.columns, false, Header::yes).rows(), 1);
}

class RequireTrainable : public testing::Test {
 protected:
  std::string refusal() const {
    return message_of([&] { require_trainable(data); });
  }
  Dataset data = [] {
    Dataset result;
    result.x = (Matrix(4, 2) << 1, 2, 3, 4, 5, 6, 7, 8).finished();
    result.y = (Vector(4) << 1, 2, 3, 4).finished();
    result.columns.features = {"a", "b"};
    result.columns.target = "speed";
    return result;
  }();
};

TEST_F(RequireTrainable, AcceptsFiniteDataThatVary) { EXPECT_EQ(refusal(), ""); }

TEST_F(RequireTrainable, AcceptsAConstantInput) {
  data.x.col(0).setConstant(5);
  EXPECT_EQ(refusal(), "");
}

TEST_F(RequireTrainable, AcceptsTinyAndFarAwayTargets) {
  data.y = (Vector(4) << 1e-130, 2e-130, 3e-130, 1e-130).finished();
  EXPECT_EQ(refusal(), "");
  data.y = (Vector(4) << 1e15, 1e15 + 1, 1e15, 1e15).finished();
  EXPECT_EQ(refusal(), "");
}

/// Variances of such targets are 0 or infinite.
TEST_F(RequireTrainable, RefusesNumbersWhoseSquaresAreNone) {
  data.y = (Vector(4) << 1e-300, 2e-300, 3e-300, 1e-300).finished();
  EXPECT_THAT(refusal(), HasSubstr("underflow"));
  data.y = (Vector(4) << 1e300, 2e300, 3e300, 1e300).finished();
  EXPECT_THAT(refusal(), HasSubstr("overflow"));
}

TEST_F(RequireTrainable, RefusesFewerThanThreeRows) {
  data.x.conservativeResize(2, Eigen::NoChange);
  data.y.conservativeResize(2);
  EXPECT_THAT(refusal(), HasSubstr("at least 3 rows, the data have 2"));
}

TEST_F(RequireTrainable, RefusesAMissingTarget) {
  data.y.resize(0);
  EXPECT_THAT(refusal(), HasSubstr("0 target values"));
}

TEST_F(RequireTrainable, RefusesAConstantTarget) {
  data.y.setConstant(0.1);
  EXPECT_THAT(refusal(), HasSubstr("'speed' is constant, every value is 0.1"));
}

TEST_F(RequireTrainable, RefusesValuesThatAreNotFinite) {
  data.x(2, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(refusal(), HasSubstr("column 'b': row 2 is nan"));
  data.x(2, 1) = 0;
  data.y(3) = std::numeric_limits<double>::infinity();
  EXPECT_THAT(refusal(), HasSubstr("column 'speed': row 3 is inf"));
}

TEST_F(RequireTrainable, RefusesASpreadThatOverflows) {
  data.y << 1.7e308, -1.7e308, 1.7e308, -1.7e308;
  EXPECT_THAT(refusal(), HasSubstr("column 'speed': the values lie too far apart"));
}

TEST_F(RequireTrainable, RefusesDataWithoutInputs) {
  data.x.resize(4, 0);
  EXPECT_THAT(refusal(), HasSubstr("no input column"));
}

TEST(Reading, CountsTableRowsAcrossThoseLeftOut) {
  const Reading reading{.dropped = {0, 1, 4, 9}};
  std::vector<Index> rows;
  for (Index i = 0; i < 7; ++i) rows.push_back(reading.table_row(i));
  EXPECT_EQ(rows, (std::vector<Index>{2, 3, 5, 6, 7, 8, 10}));
  EXPECT_EQ(Reading{}.table_row(5), 5);
}

}  // namespace
}  // namespace gpcv
