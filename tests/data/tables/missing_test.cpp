/// Missing cells, rows with levels that training has not seen, and texts that are passed on.
#include "data/table_file.hpp"
#include "gpcv/row_stream.hpp"

namespace gpcv {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(MissingCells, HaveManySpellings) {
  for (const char* cell : {"",        ".",    "-", "NA",   "N/A", "#N/A",     "NaN",     "NULL", "null", "#DIV/0!",
                           "#VALUE!", "<NA>", " ", "n.a.", "NaT", "#N/A N/A", "#SPILL!", "#NV",  "\\N",  "\u2013"}) {
    EXPECT_TRUE(csv::is_missing(cell)) << cell;
  }
  for (const char* cell : {"0", "inf", "-inf", "x", "-999", "1."}) EXPECT_FALSE(csv::is_missing(cell)) << cell;
  EXPECT_TRUE(csv::is_missing("-999.0", {"gone", "-999"}));
  EXPECT_TRUE(csv::is_missing(" gone ", {"gone", "-999"}));
  EXPECT_FALSE(csv::is_missing("999", {"gone", "-999"}));
}

TEST(MissingCells, TheUserNamesFurtherTexts) {
  const TableFile file("x,y\n1,1\n-999,2\n3,off\n4,4\n");
  ReadOptions options = with_target("y");
  options.missing = Missing::drop;
  options.missing_texts = {"-999", "off"};
  const Dataset data = read_dataset(file, options);
  EXPECT_EQ(data.x.col(0), (Vector{{1, 4}}));
  EXPECT_THAT(data.reading.dropped, ElementsAre(1, 2));
}

TEST(MissingCells, TextsOfTheTrainingAreThoseOfNewRows) {
  const TableFile file("x,y\n1,1\n-999,2\n3,3\n"), fresh("x\n5\n-999\n");
  ReadOptions options = with_target("y");
  options.missing = Missing::drop;
  options.missing_texts = {"-999"};
  const Columns trained = read_dataset(file, options).columns;
  EXPECT_THAT(trained.missing_texts, ElementsAre("-999"));
  LikeOptions like{.missing = Missing::drop};
  EXPECT_EQ(read_dataset_like(fresh, trained, like).x.col(0), (Vector{{5}}));
  like.missing_texts = {"5"};
  EXPECT_EQ(read_dataset_like(fresh, trained, like).x.col(0), (Vector{{-999}})) << "given again";
}

TEST(MissingCells, TheErrorNamesTheRemedy) {
  const TableFile file("x,y\n1,1\n.,2\n");
  try {
    read_dataset(file, with_target("y"));
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(":3:1: column 'x': '.'"));
    EXPECT_EQ(error.remedy(), Remedy::drop_missing_rows);
  }
}

class ForAModel : public ::testing::Test {
 protected:
  ForAModel() {
    const TableFile training("id,color,x,y\na,red,1,10\nb,blue,2,20\nc,red,3,30\n");
    ReadOptions options = with_target("y");
    options.categorical = {"color"};
    options.id = "id";
    trained_ = read_dataset(training, options).columns;
  }
  Columns trained_;
};

TEST_F(ForAModel, RowsWithMissingCellsAreKept) {
  const TableFile file("x,color\n1,red\n,red\n3,NA\n4,blue\n");
  RowBatch batch;
  RowStream stream(file, trained_, LikeOptions{.missing = Missing::keep});
  ASSERT_EQ(stream.next(10, batch), 4);
  EXPECT_EQ(batch.x.row(0), (Eigen::RowVector3d(0, 1, 1)));
  EXPECT_TRUE(std::isnan(batch.x(1, 2)));
  EXPECT_TRUE(batch.x.row(2).head(2).array().isNaN().all()) << "NA is no level";
  EXPECT_EQ(batch.x(3, 2), 4);
  EXPECT_TRUE(stream.reading().dropped.empty());
}

TEST_F(ForAModel, AnUnseenLevelHasNoIndicatorAndIsSaid) {
  const TableFile file("x,color\n1,green\n");
  EXPECT_THROW(read_dataset_like(file, trained_, LikeOptions{}), InputError);
  const Dataset data = read_dataset_like(file, trained_, LikeOptions{.unseen = Unseen::average});
  EXPECT_EQ(data.x.row(0), (Eigen::RowVector3d(0, 0, 1)));
  ASSERT_EQ(data.reading.notes.size(), 1u);
  EXPECT_EQ(data.reading.notes[0].code, "unseen");
}

TEST_F(ForAModel, TheIdentifierIsNoInputAndIsPassedOnFirst) {
  EXPECT_EQ(trained_.id, "id");
  EXPECT_THAT(trained_.features, ElementsAre("color=blue", "color=red", "x"));
  const TableFile file("when,x,id,color\n2020,1,\"u,1\",red\n");
  RowStream stream(file, trained_, LikeOptions{.keep = {"when", "id"}});
  EXPECT_THAT(stream.kept_names(), ElementsAre("id", "when"));
  RowBatch batch;
  ASSERT_EQ(stream.next(10, batch), 1);
  EXPECT_THAT(batch.kept, ElementsAre(ElementsAre("u,1", "2020")));
  const TableFile without("x,color\n1,red\n");
  EXPECT_TRUE(RowStream(without, trained_, LikeOptions{}).kept_names().empty());
}

TEST(MissingLevels, AreNoLevels) {
  const TableFile file("color,y\nred,10\nNA,20\n?,30\nblue,40\n");
  ReadOptions options = with_target("y");
  options.categorical = {"color"};
  EXPECT_THAT(message_of([&] { read_dataset(file, options); }),
              HasSubstr(":3:1: column 'color': the cell 'NA' is missing"));
  options.missing = Missing::drop;
  const Dataset data = read_dataset(file, options);
  EXPECT_THAT(data.columns.levels, ElementsAre("blue", "red"));
  EXPECT_EQ(data.rows(), 2);
}

}  // namespace
}  // namespace gpcv
