/// Dates have one meaning in training and in prediction.
#include "data/table_file.hpp"

namespace gpcv {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Columns trained_on(const std::string& text) {
  const TableFile file(text);
  return read_dataset(file, with_target("y")).columns;
}

Columns trained_on_dates() { return trained_on("x,date,y\n1,2020-01-01,1\n2,2021-01-01,2\n"); }

Dataset read_like(const Columns& trained, const std::string& text) {
  const TableFile file(text);
  return read_dataset_like(file, trained, LikeOptions{});
}

TEST(Dates, AreRemembered) {
  EXPECT_THAT(trained_on_dates().dates.value(), ElementsAre(1));
  EXPECT_TRUE(trained_on("x,y\n1,2\n").dates.value().empty());
}

TEST(Dates, DecimalYearsAreTheSameUnit) {
  const Columns trained = trained_on_dates();
  EXPECT_EQ(read_like(trained, "x,date\n1,2020.5\n").x(0, 1), 2020.5);
  EXPECT_EQ(read_like(trained, "x,date\n1,2021-01-01T02:00+02:00\n").x(0, 1), 2021);
}

TEST(Dates, OtherNumbersAreRefused) {
  const Columns trained = trained_on_dates();
  for (const char* cell : {"737000", "-5", "10000", "1577836800", "20200631"}) {
    EXPECT_THAT(message_of([&] { read_like(trained, std::string("x,date\n1,") + cell + "\n"); }),
                AllOf(HasSubstr(":2:2: column 'date'"), HasSubstr(cell), HasSubstr("trained on dates")));
  }
  EXPECT_THAT(message_of([&] { read_like(trained, "x,date\n1,20200601\n1,2020.5\n"); }), HasSubstr("trained on dates"));
}

TEST(Dates, AColumnOfCompactDaysIsReadAndSaid) {
  const Dataset data = read_like(trained_on_dates(), "x,date\n1,20200101\n1,20210101\n");
  EXPECT_EQ(data.x.col(1), (Vector{{2020, 2021}}));
  ASSERT_EQ(data.reading.notes.size(), 1u);
  EXPECT_EQ(data.reading.notes[0].code, "dates");
  EXPECT_THAT(data.reading.notes[0].text, HasSubstr("'20200101' is read as the decimal year 2020.000"));
}

TEST(Dates, AreRefusedWhereTheModelKnowsNumbers) {
  const Columns trained = trained_on("x,y\n1,1\n2,2\n");
  EXPECT_THAT(message_of([&] { read_like(trained, "x\n2020-01-01\n"); }),
              AllOf(HasSubstr(":2:1: column 'x'"), HasSubstr("trained on numbers")));
  Columns unknown = trained;
  unknown.dates.reset();
  EXPECT_EQ(read_like(unknown, "x\n2020-01-01\n").x(0, 0), 2020) << "an older model does not say";
}

Vector read_targets_of(const Columns& trained, const std::string& text) {
  return read_dataset_like(TableFile(text), trained, LikeOptions{.with_target = true}).y;
}

TEST(DatesAsTarget, AreDatesInOtherTables) {
  const Columns trained = trained_on("x,y\n1,2020-01-01\n2,2021-01-01\n");
  EXPECT_EQ(trained.target_is_date, true);
  EXPECT_EQ(read_targets_of(trained, "x,y\n1,2021-01-01\n2,2020-01-01\n"), (Vector{{2021, 2020}}));
  EXPECT_EQ(read_targets_of(trained, "x,y\n1,2021\n2,2020.5\n"), (Vector{{2021, 2020.5}}));
  EXPECT_EQ(read_targets_of(trained, "x,y\n1,20200101\n2,20210101\n"), (Vector{{2020, 2021}}));
  EXPECT_THAT(message_of([&] { read_targets_of(trained, "x,y\n1,737000\n"); }),
              AllOf(HasSubstr(":2:2: column 'y'"), HasSubstr("trained on dates")));
}

TEST(DatesAsTarget, AreRefusedWhereTheModelKnowsNumbers) {
  Columns trained = trained_on("x,y\n1,1\n2,2\n");
  EXPECT_EQ(trained.target_is_date, false);
  const std::string dates = "x,y\n1,2020-01-01\n";
  EXPECT_THAT(message_of([&] { read_targets_of(trained, dates); }),
              AllOf(HasSubstr(":2:2: column 'y'"), HasSubstr("trained on numbers")));
  trained.target_is_date.reset();
  EXPECT_EQ(read_targets_of(trained, dates), (Vector{{2020}})) << "an older model does not say";
}

}  // namespace
}  // namespace gpcv
