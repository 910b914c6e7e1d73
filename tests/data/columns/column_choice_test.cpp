#include "data/columns/column_choice.hpp"

#include "data/table_file.hpp"

namespace gpcv::csv {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* weather = "id,temperature,pressure,humidity\ns1,20,1000,0.5\n";

Columns choose(const char* text, const ReadOptions& options) {
  const TableFile file(text);
  const Table table(file, options.header);
  return choose_columns(table, options, choose_target(table, options));
}

std::string refusal(const char* text, const ReadOptions& options) {
  return message_of([&] { choose(text, options); });
}

TEST(ColumnChoice, ByNameOrIndex) {
  const Columns columns = choose(weather, with_target("humidity", {"temperature", "2"}));
  EXPECT_THAT(columns.features, ElementsAre("temperature", "pressure"));
  EXPECT_THAT(columns.feature_indices, ElementsAre(1, 2));
  EXPECT_EQ(columns.target, "humidity");
  EXPECT_EQ(columns.target_index, 3);
  EXPECT_EQ(columns.table_columns, 4);
  EXPECT_TRUE(columns.has_header);
}

TEST(ColumnChoice, NegativeIndicesCountFromTheEnd) {
  EXPECT_EQ(choose(weather, with_target("-1", {"1"})).target, "humidity");
  EXPECT_EQ(choose(weather, with_target("-4", {"1"})).target, "id");
}

TEST(ColumnChoice, ANameThatReadsAsAnIndexIsAName) {
  EXPECT_EQ(choose("1,0\n5,6\n", with_target("0", {}, Header::yes)).target_index, 1);
}

TEST(ColumnChoice, EveryOtherColumnIsAFeatureByDefault) {
  EXPECT_THAT(choose("1,2,3\n", with_target("1")).features, ElementsAre("c0", "c2"));
  const Columns all = choose("1,2,3\n", {});
  EXPECT_THAT(all.feature_indices, ElementsAre(0, 1, 2));
  EXPECT_EQ(all.target_index, -1);
}

TEST(ColumnChoice, ColumnsWithoutAHeaderHaveNames) { EXPECT_EQ(choose("1,2,3\n", with_target("c2")).target_index, 2); }

TEST(ColumnChoice, AnUnknownNameGetsTheNearestAndTheList) {
  EXPECT_THAT(refusal(weather, with_target("Temprature")),
              AllOf(HasSubstr("table.csv:1: no column 'Temprature'"), HasSubstr("did you mean 'temperature'?"),
                    HasSubstr("'id', 'temperature', 'pressure', 'humidity'")));
  EXPECT_THAT(refusal(weather, with_target("q")), AllOf(HasSubstr("no column 'q'"), Not(HasSubstr("did you mean"))));
}

TEST(ColumnChoice, ALongListIsCut) {
  EXPECT_THAT(refusal("1,2,3,4,5,6,7,8,9,10,11,12\n", with_target("zzz")),
              AllOf(HasSubstr("'c9', … (12 in all)"), Not(HasSubstr("'c10'"))));
}

TEST(ColumnChoice, ANameThatStandsTwiceIsAmbiguous) {
  EXPECT_THAT(refusal("a,b,a\n1,2,3\n", with_target("a")),
              AllOf(HasSubstr("'a' is ambiguous"), HasSubstr("indices 0, 2")));
  EXPECT_EQ(choose("a,b,a\n1,2,3\n", with_target("2")).target_index, 2);
}

TEST(ColumnChoice, AnIndexMustLieInTheTable) {
  for (const char* index : {"4", "-5", "99"}) {
    EXPECT_THAT(refusal(weather, with_target(index)),
                AllOf(HasSubstr(std::string("index ") + index + " is out of range"), HasSubstr("4 columns")));
  }
}

TEST(ColumnChoice, TheTargetIsNotAFeature) {
  EXPECT_THAT(refusal(weather, with_target("humidity", {"pressure", "-1"})),
              HasSubstr("target 'humidity' is also among the features"));
}

TEST(ColumnChoice, TheTimeColumnMayBeAFeatureButNotTheTarget) {
  const auto choose_time_of = [](const std::string& time) {
    ReadOptions options = with_target("humidity", {"pressure"});
    options.time = time;
    const TableFile file(weather);
    const Table table(file, options.header);
    return choose_time(table, options, choose_target(table, options));
  };
  EXPECT_EQ(choose_time_of(""), -1);
  EXPECT_EQ(choose_time_of("pressure"), 2);
  EXPECT_EQ(choose_time_of("temperature"), 1);
  EXPECT_EQ(choose_time_of("-3"), 1);
  EXPECT_THAT(message_of([&] { choose_time_of("-1"); }), HasSubstr("time column 'humidity' is the target"));
  EXPECT_THAT(message_of([&] { choose_time_of("presure"); }), HasSubstr("did you mean 'pressure'?"));
}

TEST(ColumnChoice, AFeatureIsNamedOnce) {
  EXPECT_THAT(refusal(weather, with_target("humidity", {"pressure", "2"})), HasSubstr("'2' is asked for twice"));
}

TEST(ColumnChoice, SomeInputMustRemain) {
  EXPECT_THAT(refusal("y\n1\n", with_target("y")), HasSubstr("'y' is the only column"));
}

class ColumnMatch : public testing::Test {
 protected:
  static Columns match(const char* text, const Columns& trained, bool with_target, Header header = Header::automatic) {
    const TableFile file(text);
    return match_columns(Table(file, header), trained, with_target);
  }
  static std::string refusal(const char* text, const Columns& trained, bool with_target) {
    return message_of([&] { match(text, trained, with_target); });
  }

  Columns named = choose(weather, with_target("humidity", {"temperature", "pressure"}));
  Columns unnamed = choose("7,20,1000,0.5\n", with_target("3", {"1", "2"}));
};

TEST_F(ColumnMatch, ByNameWhereverTheColumnsStand) {
  const Columns found = match("pressure,humidity,temperature\n1,2,3\n", named, true);
  EXPECT_THAT(found.feature_indices, ElementsAre(2, 0));
  EXPECT_THAT(found.features, ElementsAre("temperature", "pressure"));
  EXPECT_EQ(found.target_index, 1);
  EXPECT_EQ(found.table_columns, 3);
}

TEST_F(ColumnMatch, TheTargetMayBeAbsentWhenNotWanted) {
  const Columns found = match("temperature,pressure\n1,2\n", named, false);
  EXPECT_THAT(found.feature_indices, ElementsAre(0, 1));
  EXPECT_EQ(found.target_index, -1);
  EXPECT_EQ(found.target, "");
}

TEST_F(ColumnMatch, AMissingNameIsReportedWithAllThatAreNeeded) {
  EXPECT_THAT(refusal("temperature,presure\n1,2\n", named, false),
              AllOf(HasSubstr("no column 'pressure'"), HasSubstr("did you mean 'presure'?"),
                    HasSubstr("the model needs 'temperature', 'pressure'")));
  EXPECT_THAT(refusal("temperature,pressure\n1,2\n", named, true),
              AllOf(HasSubstr("no column 'humidity'"), HasSubstr("target 'humidity'")));
}

TEST_F(ColumnMatch, ARepeatedNameMeansTheOneThatStandsWhereItStood) {
  const Columns twice = choose("a,a,y\n1,2,3\n", with_target("y"));
  EXPECT_THAT(match("a,a,y\n1,2,3\n", twice, true).feature_indices, ElementsAre(0, 1));
  EXPECT_THAT(refusal("y,q,a,a\n3,0,1,2\n", twice, true), HasSubstr("ambiguous"));
}

TEST_F(ColumnMatch, WithoutNamesTheTrainingPositionsCount) {
  const Columns found = match("7,20,1000,0.5\n", unnamed, true);
  EXPECT_THAT(found.feature_indices, ElementsAre(1, 2));
  EXPECT_EQ(found.target_index, 3);
  EXPECT_THAT(match(weather, unnamed, false).feature_indices, ElementsAre(1, 2));
  EXPECT_THAT(match("7,20,1000,0.5\n", named, false).feature_indices, ElementsAre(1, 2));
}

TEST_F(ColumnMatch, WithoutNamesATableOfInputsIsTakenInOrder) {
  EXPECT_THAT(match("20,1000\n", unnamed, false).feature_indices, ElementsAre(0, 1));
}

TEST_F(ColumnMatch, WithoutNamesAnyOtherWidthIsRefused) {
  EXPECT_THAT(refusal("20,1000\n", unnamed, true), AllOf(HasSubstr("has 2 columns"), HasSubstr("the 4 columns")));
  EXPECT_THAT(refusal("1,2,3\n", unnamed, false), AllOf(HasSubstr("has 3 columns"), HasSubstr("its 2 inputs")));
}

TEST_F(ColumnMatch, AModelWithoutATargetHasNoneToFind) {
  const Columns inputs_only = choose("1,2\n", {});
  EXPECT_THAT(refusal("1,2\n", inputs_only, true), HasSubstr("target"));
}

}  // namespace
}  // namespace gpcv::csv
