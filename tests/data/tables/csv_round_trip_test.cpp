#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/random.hpp"
#include "data/table_file.hpp"

namespace gpcv {
namespace {

/// A table of random doubles with text columns between them, written in a random dialect.
class RandomTable {
 public:
  explicit RandomTable(std::uint64_t seed) : random_(seed) {
    rows_ = 1 + pick(30);
    numbers_.resize(rows_, 1 + pick(5));
    numbers_ = numbers_.unaryExpr([&](double) { return any_double(); });
    delimiter_ = ",\t;"[pick(3)];
    const char* const line_ends[] = {"\n", "\r\n", "\r"};
    line_end_ = line_ends[pick(3)];
    if (chance(0.3)) text_ = "\xEF\xBB\xBF";
    write_header();
    for (Index i = 0; i < rows_; ++i) write_row(i);
    if (chance(0.3)) text_.resize(text_.size() - line_end_.size());
    while (chance(0.3)) text_ += line_end_;
    if (chance(0.3)) text_ = gzipped(text_);
  }

  const std::string& text() const { return text_; }
  const Matrix& numbers() const { return numbers_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  Index pick(std::uint64_t n) { return static_cast<Index>(random_.below(n)); }
  bool chance(double probability) { return random_.uniform() < probability; }

  double any_double() {
    if (chance(0.3)) return static_cast<double>(pick(200)) - 100;
    if (chance(0.3)) return random_.normal();
    for (;;) {
      const double value = std::bit_cast<double>(random_.below(~std::uint64_t{0}));
      if (std::isfinite(value)) return value;
    }
  }

  /// Any characters at all; quoted.
  std::string any_text() {
    constexpr std::string_view alphabet = "ab ,;\t\"\r\n1.é";
    std::string cell = "\"";
    for (Index i = pick(12); i > 0; --i) {
      const char c = alphabet[static_cast<std::size_t>(pick(alphabet.size()))];
      cell += c == '"' ? std::string("\"\"") : std::string(1, c);
    }
    return cell + '"';
  }

  std::string number_text(double value) {
    std::string cell = fmt::format("{}", value);
    if (value > 0 && chance(0.2)) cell.insert(0, "+");
    if (chance(0.2)) cell.insert(0, "  ");
    if (chance(0.2)) cell += ' ';
    return chance(0.3) ? '"' + cell + '"' : cell;
  }

  void write_header() {
    for (Index j = 0; j < numbers_.cols(); ++j) {
      names_.push_back(fmt::format("x\"{}{}.", j, delimiter_));
      if (j > 0) text_ += delimiter_;
      text_ += fmt::format("\"x\"\"{}{}.\"{}\"note, {}\"", j, delimiter_, delimiter_, j);
    }
    text_ += line_end_;
  }

  void write_row(Index i) {
    for (Index j = 0; j < numbers_.cols(); ++j) {
      if (j > 0) text_ += delimiter_;
      text_ += number_text(numbers_(i, j)) + delimiter_ + any_text();
    }
    text_ += line_end_;
  }

  Random random_;
  Index rows_ = 0;
  Matrix numbers_;
  char delimiter_ = ',';
  std::string line_end_, text_;
  std::vector<std::string> names_;
};

TEST(CsvRoundTrip, RandomTablesAreReadBackIdenticallyInChunksOfAnySize) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const RandomTable table(seed);
    const TableFile file(table.text());
    const ReadOptions options = with_target("", table.names());
    for (std::size_t chunk :
         {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7}, std::size_t{64}, std::size_t{1} << 18}) {
      const Dataset data = read_in_chunks(file, options, chunk);
      ASSERT_EQ(data.columns.features, table.names()) << "seed " << seed << ", chunk " << chunk;
      ASSERT_TRUE(data.x.rows() == table.numbers().rows() && data.x == table.numbers())
          << "seed " << seed << ", chunk " << chunk << "\nread\n"
          << data.x << "\nwritten\n"
          << table.numbers();
    }
  }
}

TEST(CsvRoundTrip, RandomBytesAreReadOrRefusedButNeverMisbehave) {
  constexpr std::string_view alphabet = "\"\"\",,\n\n\r;\t 12a.-+eE\xEF";
  Random random(5);
  int read = 0, refused = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text;
    for (auto i = random.below(40); i > 0; --i) text += alphabet[random.below(alphabet.size())];
    const TableFile file(text);
    std::string first;
    for (std::size_t chunk : {std::size_t{1}, std::size_t{3}, std::size_t{1} << 18}) {
      const std::string message = message_of([&] { read_in_chunks(file, {}, chunk); });
      if (chunk > 1) {
        ASSERT_EQ(message, first) << text;
      }
      first = message;
    }
    ++(first.empty() ? read : refused);
  }
  EXPECT_GT(read, 0);
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace gpcv
