/// Tables in several files, compressed files and comments.
#include <zstd.h>

#include "data/table_file.hpp"

namespace gpcv {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string zstd_packed(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

ReadOptions together_with(const TableFile& more) {
  ReadOptions options = with_target("y");
  options.more = {more.path()};
  return options;
}

TEST(SeveralFiles, AreOneTable) {
  const TableFile first("x,y\n1,2\n3,4\n"), second("# more\nx,y\n5,6\n"), bare("7,8\n");
  EXPECT_EQ(read_dataset(first, together_with(second)).y, (Vector{{2, 4, 6}}));
  ReadOptions options = with_target("1", {}, Header::no);
  options.more = {bare.path()};
  const TableFile numbers("1,2\n");
  EXPECT_EQ(read_dataset(numbers, options).y, (Vector{{2, 8}}));
}

TEST(SeveralFiles, NeedOneHeader) {
  const TableFile first("x,y\n1,2\n"), other("x,z\n5,6\n", "other.csv"), wide("x,y,z\n1,2,3\n");
  EXPECT_THAT(message_of([&] { read_dataset(first, together_with(other)); }),
              AllOf(HasSubstr("other.csv:1:2"), HasSubstr("'z'"), HasSubstr("'y'")));
  EXPECT_THAT(message_of([&] { read_dataset(first, together_with(wide)); }), HasSubstr("same header"));
}

TEST(SeveralFiles, ErrorsNameTheirFile) {
  const TableFile first("x,y\n1,2\n"), second("x,y\n5,six\n", "second.csv");
  EXPECT_THAT(message_of([&] { read_dataset(first, together_with(second)); }), HasSubstr("second.csv:2:2: column 'y'"));
}

TEST(SeveralFiles, DecideTogetherWhatACommaMeans) {
  const TableFile first("x;y\n1,560;2\n"), second("x;y\n1,5;2\n");
  EXPECT_EQ(read_dataset(first, together_with(second)).x.col(0), (Vector{{1.56, 1.5}}));
}

TEST(Zstd, IsUnpacked) {
  std::string text = "x,y\n";
  for (int i = 0; i < 50'000; ++i) text += std::to_string(i) + "," + std::to_string(i % 7) + "\n";
  const std::string packed = zstd_packed(text);
  const TableFile whole(packed), cut(packed.substr(0, packed.size() / 2)),
      twice(zstd_packed("x,y\n1,2\n") + zstd_packed("3,4\n"));
  EXPECT_EQ(read_dataset(whole, with_target("y")).rows(), 50'000);
  EXPECT_EQ(read_dataset(twice, with_target("y")).y, (Vector{{2, 4}}));
  EXPECT_THAT(message_of([&] { read_dataset(cut, with_target("y")); }), HasSubstr("zstd data end early"));
  std::string broken = packed;
  broken[packed.size() / 2] = static_cast<char>(broken[packed.size() / 2] ^ 0x55);
  const TableFile damaged(broken);
  EXPECT_THAT(message_of([&] { read_dataset(damaged, with_target("y")); }), HasSubstr("zstd"));
}

TEST(Comments, AreSkippedAndSaid) {
  const TableFile file("# station 7\n# x,y in metres\n\nx|y\n1|2\n3|four\n");
  EXPECT_THAT(message_of([&] { read_dataset(file, with_target("y")); }), HasSubstr("table.csv:6:2"));
  const TableFile sound("# station 7\nx|y\n1|2\n");
  const Dataset data = read_dataset(sound, with_target("y"));
  EXPECT_THAT(data.columns.features, ElementsAre("x"));
  ASSERT_EQ(data.reading.notes.size(), 1u);
  EXPECT_EQ(data.reading.notes[0].code, "comments");
}

/// The one note on a table, which has the input 1, 2, …
ReadingNote note_on(const std::string& text) {
  const TableFile file(text);
  const Dataset data = read_dataset(file, with_target("y"));
  for (Index i = 0; i < data.rows(); ++i) EXPECT_EQ(data.x(i, 0), i + 1);
  EXPECT_EQ(data.reading.notes.size(), 1u) << text;
  return data.reading.notes.empty() ? ReadingNote{} : data.reading.notes[0];
}

TEST(Comments, WithinAndAfterTheTableAreSkippedAndSaid) {
  const ReadingNote one = note_on("x,y\n1,2\n2,3\n\n# end, of it\n");
  EXPECT_EQ(one.code, "comment-lines");
  EXPECT_THAT(one.text, HasSubstr("table.csv:5: this line begins with # and was skipped"));
  EXPECT_THAT(note_on("x,y\n# units\n1,2\n#5,6\n2,3\n").text, HasSubstr("table.csv:2: this line and 1 more"));
  const TableFile bare("1,2\n#3,4\n2,3\n");
  EXPECT_EQ(read_dataset(bare, with_target("-1")).x.col(0), (Vector{{1, 2}}));
  const TableFile names("k,x,y\na,1,2\n# mid\n#b,2,3\nc,3,4\n");
  ReadOptions options = with_target("y", {"x"});
  EXPECT_EQ(read_dataset(names, options).x.col(0), (Vector{{1, 2, 3}})) << "the name #b is no comment";
}

TEST(Table, OfASpreadsheetHasEmptyColumnsAtItsEnd) {
  EXPECT_THAT(note_on("x,y,\n1,2,\n2,3,\n").text, HasSubstr("table.csv: the last column has neither"));
  EXPECT_THAT(note_on("x;y;;\n1;2;;\n2;3;;\n").text, HasSubstr("the last 2 columns have neither"));
  const TableFile used("x,y,\n1,2,\n2,3,9\n"), named("x,y,z\n1,2,\n2,3,\n");
  EXPECT_THAT(message_of([&] { read_dataset(used, with_target("y")); }),
              AllOf(HasSubstr("table.csv:3:3: '9'"), HasSubstr("no name")));
  EXPECT_THAT(message_of([&] { read_dataset(named, with_target("y")); }), HasSubstr("'z': the cell is empty"));
}

/// What reading a file with these bytes says.
std::string refusal_of(std::string_view bytes) {
  const TableFile file(bytes);
  return message_of([&] { read_dataset(file, with_target("y")); });
}

TEST(OtherFiles, AreNamed) {
  using namespace std::string_view_literals;
  EXPECT_THAT(refusal_of("PK\x03\x04\x14\0\0\0\x08\0________________ ___table.csv"sv),
              HasSubstr("a zip archive; unpack"));
  EXPECT_THAT(refusal_of("PK\x03\x04\x14\0\x06\0\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x13\0\0\0[Content_Types].xml"sv),
              HasSubstr("workbook"));
  EXPECT_THAT(refusal_of("\xFD\x37zXZ\0\0\4"sv), HasSubstr("packed by xz; unpack"));
  EXPECT_THAT(refusal_of("BZh91AY&SY"sv), HasSubstr("packed by bzip2; unpack"));
  EXPECT_THAT(refusal_of("\x89HDF\r\n\x1A\n\0"sv), HasSubstr("a binary file, HDF5"));
  const TableFile parquet("PAR1\x15\x04\x15");
  try {
    read_dataset(parquet, with_target("y"));
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("a Parquet file"));
    EXPECT_EQ(error.remedy(), Remedy::convert_table);
  }
  const TableFile radiation("PAR1,y\n1,2\n");
  EXPECT_EQ(read_dataset(radiation, with_target("y")).rows(), 1);
  const TableFile text("BZh,y\n1,2\n");
  EXPECT_EQ(read_dataset(text, with_target("y")).rows(), 1);
}

}  // namespace
}  // namespace gpcv
