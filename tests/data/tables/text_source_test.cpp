#include "data/tables/text_source.hpp"

#include "data/table_file.hpp"

namespace gpcv {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Text {
  std::string utf8;
  csv::Encoding encoding = csv::Encoding::utf8;
};

/// The text of a file, which must not depend on the size of the pieces that are read.
Text read_text(const std::string& bytes) {
  const TableFile file(bytes);
  Text first;
  for (const std::size_t piece : {std::size_t{1000}, std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{5}}) {
    csv::TextSource source(file);
    Text text;
    std::string buffer(piece, '\0');
    while (const std::size_t count = source.read(buffer.data(), piece)) text.utf8.append(buffer, 0, count);
    text.encoding = source.encoding();
    if (piece == 1000) first = text;
    EXPECT_EQ(text.utf8, first.utf8) << piece;
    EXPECT_EQ(text.encoding, first.encoding) << piece;
  }
  return first;
}

TEST(TextSource, Utf8IsPassedOnWithoutItsMark) {
  EXPECT_EQ(read_text("a,é,€,😀\n").utf8, "a,é,€,😀\n");
  EXPECT_EQ(read_text("\xEF\xBB\xBFx\n").utf8, "x\n");
  EXPECT_EQ(read_text("\xEF\xBB\xBF").utf8, "");
  EXPECT_EQ(read_text("").utf8, "");
}

TEST(TextSource, Latin1IsConverted) {
  const Text text = read_text(
      "name,stra\xDF"
      "e,\x80\n\xE9\xE9,1\n");
  EXPECT_EQ(text.utf8, "name,straße,€\néé,1\n");
  EXPECT_EQ(text.encoding, csv::Encoding::latin1);
}

TEST(TextSource, AByteOfLatin1InUtf8IsConvertedAlone) {
  const Text text = read_text("é,\xE9,é\n\xC3");
  EXPECT_EQ(text.utf8, "é,é,é\nÃ");
  EXPECT_EQ(text.encoding, csv::Encoding::mixed);
}

TEST(TextSource, Utf16OfBothByteOrdersIsConverted) {
  const std::string little(
      "\xFF\xFE"
      "a\0,\0\xE9\0\x3D\xD8\x00\xDE\n\0",
      14);
  const std::string big(
      "\xFE\xFF"
      "\0a\0,\0\xE9\xD8\x3D\xDE\x00\0\n",
      14);
  EXPECT_EQ(read_text(little).utf8, "a,é😀\n");
  EXPECT_EQ(read_text(big).utf8, "a,é😀\n");
  EXPECT_EQ(read_text(big).encoding, csv::Encoding::utf16);
  EXPECT_EQ(read_text(std::string("\xFF\xFE"
                                  "a\0\x3D\xD8",
                                  6))
                .utf8,
            "a\xEF\xBF\xBD")
      << "half of a pair";
  EXPECT_EQ(read_text(std::string("\xFF\xFE"
                                  "a\0b",
                                  5))
                .utf8,
            "a\xEF\xBF\xBD")
      << "half of a unit";
}

TEST(Encoding, IsAFindingAndNamesAreUtf8) {
  const TableFile file(
      "gr\xF6\xDF"
      "e,y\n1,2\n");
  const Dataset data = read_dataset(file, with_target("y"));
  EXPECT_THAT(data.columns.features, ElementsAre("größe"));
  ASSERT_EQ(data.reading.notes.size(), 1u);
  EXPECT_EQ(data.reading.notes[0].code, "encoding");
  EXPECT_THAT(data.reading.notes[0].text, HasSubstr("Latin-1"));
}

}  // namespace
}  // namespace gpcv
