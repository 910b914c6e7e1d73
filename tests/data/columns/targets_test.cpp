/// Several targets of one table: how they are named, and which rows each has.
#include "gpcv/targets.hpp"

#include <limits>

#include "data/table_file.hpp"

namespace gpcv {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* table =
    "id,x,z,y1,y2,\"yield, t/ha\"\n"
    "r1,1,10,1.5,2,3\n"
    "r2,2,20,,4,6\n"
    "r3,3,,3.5,6,9\n"
    "r4,4,40,4.5,8,\n"
    "r5,5,50,,NA,\n"
    "r6,6,60,6.5,12,18\n";

std::vector<Dataset> read(const std::string& text, const std::vector<std::string>& targets, ReadOptions options = {}) {
  const TableFile file(text);
  return read_targets(file, options, targets);
}

std::vector<std::string> names_of(const std::vector<std::string>& targets, const std::string& header = "x,y1,y2,z*") {
  std::vector<std::string> names;
  for (const Dataset& data : read(header + "\n1,2,3,4\n2,3,4,5\n", targets)) names.push_back(data.columns.target);
  return names;
}

std::string refusal(const std::vector<std::string>& targets, ReadOptions options = {}) {
  return message_of([&] { read("x,y1,y2,z\n1,2,3,4\n2,3,4,5\n", targets, options); });
}

TEST(Targets, AreNamedOneByOneInListsAndByPatterns) {
  EXPECT_THAT(names_of({"y2", "y1"}), ElementsAre("y2", "y1"));
  EXPECT_THAT(names_of({"y2, y1"}), ElementsAre("y2", "y1"));
  EXPECT_THAT(names_of({"y*"}), ElementsAre("y1", "y2"));
  EXPECT_THAT(names_of({"y2,y*"}), ElementsAre("y2", "y1"));
  EXPECT_THAT(names_of({"-1,1"}), ElementsAre("z*", "y1"));
  EXPECT_THAT(names_of({"z*"}), ElementsAre("z*")) << "a name is no pattern";
  EXPECT_THAT(names_of({"y,1"}, "\"y,1\",y,1,x"), ElementsAre("y,1")) << "a name is no list";
  EXPECT_THAT(names_of({"y,1,1"}, "\"y,1\",y,1,x"), ElementsAre("y,1", "1"));
}

TEST(Targets, ThatCannotBeChosenAreRefusedInOneLine) {
  EXPECT_THAT(refusal({"y1,y3"}), HasSubstr(":1: no column 'y3'; did you mean 'y1'? the table has"));
  EXPECT_THAT(refusal({"y1,y1"}), HasSubstr("the target 'y1' is asked for twice; name it once"));
  EXPECT_THAT(refusal({"y*,y2"}), HasSubstr("the target 'y2' is asked for twice"));
  EXPECT_THAT(refusal({"y1,1"}), HasSubstr("the target 'y1' is asked for twice"));
  EXPECT_THAT(refusal({"q*"}), HasSubstr("no column fits the pattern 'q*'; the table has 'x', 'y1', 'y2', 'z'"));
  EXPECT_THAT(refusal({"y1,"}), HasSubstr("the list of targets has an empty name"));
  EXPECT_THAT(refusal({"*"}), HasSubstr("all 4 columns are targets; add a column of inputs"));
  EXPECT_THAT(refusal({}), HasSubstr("no target is named"));
  EXPECT_THAT(message_of([] { read("x,y,y\n1,2,3\n", {"1,2"}); }), HasSubstr("two targets are named 'y'"));
  EXPECT_THAT(message_of([] { read("x,y,y\n1,2,3\n", {"y,x"}); }), HasSubstr("the column name 'y' is ambiguous"));
}

TEST(Targets, HaveNoOtherPurpose) {
  EXPECT_THAT(refusal({"y1,y2"}, {.target = "", .features = {"x", "y2"}}),
              HasSubstr("the target 'y2' is also among the features; leave it out of them"));
  ReadOptions options;
  options.time = "y2";
  EXPECT_THAT(refusal({"y1,y2"}, options), HasSubstr("the time column 'y2' is the target"));
  options = {};
  options.labels = "y2";
  EXPECT_THAT(refusal({"y1,y2"}, options), HasSubstr("the column 'y2' is the target; choose another to make folds by"));
  options = {};
  options.noise = "y2";
  EXPECT_THAT(refusal({"y1,y2"}, options), HasSubstr("the noise of a row cannot be its target"));
  options = {};
  options.id = "y2";
  EXPECT_THAT(refusal({"y1,y2"}, options), HasSubstr("cannot be the target"));
}

TEST(Targets, AMissingCellLeavesARowOutForItsTargetAlone) {
  ReadOptions options;
  options.id = "id";
  options.keep_ids = true;
  options.missing = Missing::drop;
  const std::vector<Dataset> targets = read(table, {"y1,y2", "yield, t/ha"}, options);
  ASSERT_EQ(targets.size(), 3U);
  const Dataset &y1 = targets[0], &y2 = targets[1], &yield = targets[2];
  EXPECT_THAT(y1.columns.features, ElementsAre("x", "z"));
  EXPECT_EQ(y1.y, (Vector{{1.5, 4.5, 6.5}}));
  EXPECT_EQ(y1.x, (Matrix{{1, 10}, {4, 40}, {6, 60}}));
  EXPECT_THAT(y1.ids, ElementsAre("r1", "r4", "r6"));
  EXPECT_EQ(y2.y, (Vector{{2, 4, 8, 12}}));
  EXPECT_EQ(yield.y, (Vector{{3, 6, 18}}));
  EXPECT_EQ(yield.columns.target_index, 5);
  // Row 2 has no input, row 4 no target at all.
  EXPECT_THAT(y1.reading.dropped, ElementsAre(1, 2, 4));
  EXPECT_THAT(y2.reading.dropped, ElementsAre(2, 4));
  EXPECT_THAT(yield.reading.dropped, ElementsAre(2, 3, 4));
  EXPECT_EQ(yield.reading.table_row(2), 5);
  using Cells = std::vector<std::pair<std::string, Index>>;
  EXPECT_EQ(y1.reading.missing, (Cells{{"z", 1}, {"y1", 2}}));
  EXPECT_EQ(y2.reading.missing, (Cells{{"z", 1}, {"y2", 1}}));
}

TEST(Targets, AMissingCellIsAnErrorUnlessRowsAreLeftOut) {
  const TableFile file(table);
  EXPECT_THAT(message_of([&] { read_targets(file, {.target = "", .features = {"x"}}, {"y1,y2"}); }),
              HasSubstr(":3:4: column 'y1': the cell is empty; fill it in or remove the row"));
  EXPECT_EQ(remedy_of([&] { read_targets(file, {.target = "", .features = {"x"}}, {"y1,y2"}); }),
            Remedy::drop_missing_rows);
}

TEST(Targets, OneIsReadAsByItself) {
  const TableFile file(table);
  ReadOptions options = with_target("y1", {"x", "z"});
  options.missing = Missing::drop;
  const Dataset alone = read_dataset(file, options);
  const Dataset found = read_targets(file, options, {"y1"}).front();
  EXPECT_EQ(found.x, alone.x);
  EXPECT_EQ(found.y, alone.y);
  EXPECT_EQ(found.reading.dropped, alone.reading.dropped);
  EXPECT_EQ(found.reading.missing, alone.reading.missing);
  EXPECT_EQ(found.reading.first_missing, alone.reading.first_missing);
  EXPECT_EQ(found.columns.target_index, alone.columns.target_index);
  EXPECT_EQ(found.columns.dates, alone.columns.dates);
}

TEST(Targets, TimesNoiseAndLabelsGoWithTheirRows) {
  ReadOptions options;
  options.features = {"x"};
  options.time = "t";
  options.noise = "s";
  options.labels = "g";
  options.missing = Missing::drop;
  const auto targets = read("x,t,s,g,a,b\n1,10,0.1,u,1,1\n2,20,0.2,v,,2\n3,30,0.3,w,3,3\n", {"a,b"}, options);
  EXPECT_EQ(targets[0].time, (Vector{{10, 30}}));
  EXPECT_EQ(targets[0].noise.size(), 2);
  EXPECT_THAT(targets[0].labels, ElementsAre(0, 2));
  EXPECT_THAT(targets[1].labels, ElementsAre(0, 1, 2));
}

TEST(Targets, OfModelsAreFoundByTheirNames) {
  const TableFile training("x,a,b\n1,2,3\n2,3,4\n"), other("b,note,a,x\n1,n,2,3\n,n,5,6\n");
  std::vector<Columns> trained;
  for (const Dataset& data : read_targets(training, {}, {"a,b"})) trained.push_back(data.columns);
  const auto found = read_targets_like(other, trained, {.missing = Missing::drop});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].y, (Vector{{2, 5}}));
  EXPECT_EQ(found[1].y, (Vector{{1}}));
  EXPECT_EQ(found[1].x, (Matrix{{3}}));
  EXPECT_THAT(found[0].reading.dropped, IsEmpty());
  const TableFile without("x,a\n1,2\n");
  EXPECT_THAT(message_of([&] { read_targets_like(without, trained, {}); }), HasSubstr("no column 'b'"));
}

TEST(SplitTargets, LeavesRowsOutWhereTheTargetIsNaN) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Dataset inputs;
  inputs.x = Vector{{1, 2, 3}};
  inputs.columns.features = {"x"};
  inputs.columns.feature_indices = {0};
  inputs.noise = Vector{{0.1, 0.2, 0.3}};
  const auto targets = split_targets(inputs, Matrix{{1, nan}, {nan, nan}, {3, 6}}, {"a", "b"});
  EXPECT_EQ(targets[0].y, (Vector{{1, 3}}));
  EXPECT_EQ(targets[0].noise, (Vector{{0.1, 0.3}}));
  EXPECT_THAT(targets[0].reading.dropped, ElementsAre(1));
  EXPECT_EQ(targets[1].x, (Matrix{{3}}));
  EXPECT_EQ(targets[1].columns.target, "b");
  EXPECT_THAT(message_of([&] { split_targets(inputs, Matrix::Zero(2, 1), {"a"}); }), HasSubstr("3 rows of inputs"));
}

TEST(FindTargets, KnowsNamesListsAndPatterns) {
  const std::vector<std::string> names{"a", "yield, t/ha", "y2"};
  EXPECT_THAT(find_targets(names, "y2,a"), ElementsAre(2, 0));
  EXPECT_THAT(find_targets(names, "yield, t/ha"), ElementsAre(1));
  EXPECT_THAT(find_targets(names, "y*"), ElementsAre(1, 2));
  EXPECT_THAT(find_targets(names, "yield,*"), ElementsAre(1));
  EXPECT_THAT(message_of([&] { find_targets(names, "a,yeild, t/ha"); }), HasSubstr("no target 'yeild'"));
  EXPECT_THAT(message_of([&] { find_targets(names, "y3"); }),
              HasSubstr("no target 'y3'; did you mean 'y2'? the model has 'a', 'yield, t/ha', 'y2'"));
}

}  // namespace
}  // namespace gpcv
