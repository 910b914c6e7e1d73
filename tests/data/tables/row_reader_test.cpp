#include "data/tables/row_reader.hpp"

#include "core/memory.hpp"
#include "data/table_file.hpp"

namespace gpcv {
namespace {

std::string counting_table(Index rows) {
  std::string text = "x,name,y\n";
  for (Index i = 0; i < rows; ++i)
    text += std::to_string(i) + ",n" + std::to_string(i) + "," + std::to_string(2 * i) + "\n";
  return text;
}

TEST(RowReader, BatchesAreFullUntilTheLast) {
  const TableFile file(counting_table(10));
  RowReader stream(file, with_target("y", {"x"}));
  Matrix x;
  Vector y;
  std::vector<Index> sizes;
  Index next = 0;
  while (const Index count = stream.next(4, x, y)) {
    sizes.push_back(count);
    ASSERT_EQ(x.rows(), count);
    ASSERT_EQ(y.size(), count);
    for (Index i = 0; i < count; ++i, ++next) {
      EXPECT_EQ(x(i, 0), static_cast<double>(next));
      EXPECT_EQ(y(i), static_cast<double>(2 * next));
    }
  }
  EXPECT_THAT(sizes, testing::ElementsAre(4, 4, 2));
  EXPECT_EQ(stream.rows_read(), 10);
  EXPECT_EQ(stream.next(4, x, y), 0) << "the end stays the end";
}

TEST(RowReader, ReadsTheColumnsAModelWasTrainedOn) {
  const TableFile training("y,a,b\n1,2,3\n"), test("b,a\n10,20\n30,40\n");
  const Columns trained = RowReader(training, with_target("y")).columns();
  RowReader stream(test, trained, false);
  Matrix x;
  Vector y;
  EXPECT_EQ(stream.next(100, x, y), 2);
  EXPECT_EQ(x, (Matrix(2, 2) << 20, 10, 40, 30).finished());
  EXPECT_EQ(y.size(), 0);
}

TEST(RowReader, RowsBeforeAnErrorAreHandedOut) {
  const TableFile file("1,2\n3,4\n5,six\n");
  RowReader stream(file, {});
  Matrix x;
  Vector y;
  EXPECT_EQ(stream.next(2, x, y), 2);
  EXPECT_THAT(message_of([&] { stream.next(2, x, y); }), testing::HasSubstr("table.csv:3:2: column 'c1': 'six'"));
}

TEST(RowReader, AColumnStaysOneKindAcrossBatches) {
  const TableFile file("2020-01-01\n2021-01-01\n2022\n");
  RowReader stream(file, {});
  Matrix x;
  Vector y;
  EXPECT_EQ(stream.next(1, x, y), 1);
  EXPECT_EQ(stream.next(1, x, y), 1);
  EXPECT_THAT(message_of([&] { stream.next(1, x, y); }), testing::HasSubstr("line 1 holds a date"));
}

TEST(RowReader, BatchesOfWideRowsAreSmaller) {
  constexpr Index width = 1'500'000;
  std::string row = "1";
  for (Index j = 1; j < width; ++j) row += ",2";
  row += '\n';
  const TableFile file(row + row + row);
  RowReader stream(file, {});
  Matrix x;
  Vector y;
  Index rows = 0;
  while (const Index count = stream.next(20'000, x, y)) {
    EXPECT_LE(count, 2);
    EXPECT_EQ(x.cols(), width);
    rows += count;
  }
  EXPECT_EQ(rows, 3);
}

TEST(RowReader, ATableOfAnySizeNeedsLittleMemory) {
  // The same 10⁵ rows again and again, as members of one gzip file: 120 MB of text in a small file.
  std::string rows;
  for (int i = 0; i < 100'000; ++i) rows += "12345.6789\n";
  const std::string member = gzipped(rows);
  std::string packed = gzipped("x\n");
  for (int copy = 0; copy < 100; ++copy) packed += member;
  const TableFile file(packed);
  const std::size_t before = peak_memory();
  RowReader stream(file, {});
  Matrix x;
  Vector y;
  while (stream.next(1000, x, y) > 0) continue;
  EXPECT_EQ(stream.rows_read(), 10'000'000);
  EXPECT_LT(peak_memory() - before, std::size_t{16} << 20);
}

}  // namespace
}  // namespace gpcv
