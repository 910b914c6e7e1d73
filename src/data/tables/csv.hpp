/// Rows of cells from delimited text (RFC 4180), read in chunks.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

#include "data/tables/location.hpp"
#include "data/tables/text_source.hpp"

namespace gpcv::csv {

/// Sizes of the buffer.
struct ReaderOptions {
  std::size_t chunk_bytes = std::size_t{1} << 18;  ///< per read; fits the second-level cache
  std::size_t longest_row = std::size_t{1} << 24;  ///< limits what a quote that is never closed can consume
};

/// The reader accepts LF, CRLF and CR line ends, drops blanks before a cell and detects the delimiter. Lines of
/// comments
/// (#…) and blank lines before and after the table are skipped; a blank line inside the table is an error. Within the
/// table a line that begins with # is a comment when comments came before the table, when it has more or fewer cells
/// than the first row, or when skip_comment_lines() was called. No memory is allocated per cell.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& path, const ReaderOptions& options = {});

  /// Reads the next row; false at the end. The cells point into the reader's buffer and are valid until the next call.
  bool next(Row& row);

  char delimiter() const { return delimiter_; }
  /// The encoding of the text that was read so far.
  Encoding encoding() const { return source_.encoding(); }
  /// The number of lines of comments before the table.
  Index comments() const { return comments_; }
  /// Takes every line that begins with # as a comment from now on.
  void skip_comment_lines() { skips_comments_ = true; }
  /// The number of lines of comments within and after the table, and the first of these lines.
  Index later_comments() const { return later_comments_; }
  Index first_later_comment() const { return first_later_comment_; }

 private:
  void find_table();
  bool refill();
  void require_text(std::size_t begin) const;

  bool scan_next();
  bool scan_row();
  const char* scan_quoted(const char* open);
  const char* skip_blanks(const char* at) const {
    while (*at == ' ' || (*at == '\t' && delimiter_ != '\t')) ++at;
    return at;
  }
  bool end_row(const char* at);
  bool is_blank_row() const;
  bool is_comment_row() const;
  void unescape_cells();
  [[noreturn]] void fail_here(std::string_view what) const;

  const char* begin() const { return buffer_.data() + position_; }
  const char* end() const { return buffer_.data() + filled_; }

  std::filesystem::path path_;
  ReaderOptions options_;
  TextSource source_;
  std::vector<char> buffer_;
  std::size_t position_ = 0;  ///< start of the next row in the buffer
  std::size_t filled_ = 0;    ///< end of the data; the byte after it is always a line feed, which stops every scan
  bool source_ended_ = false;

  char delimiter_ = ',';
  std::array<bool, 256> ends_cell_{};

  std::vector<std::string_view> cells_;
  std::vector<std::size_t> escaped_;  ///< cells that hold doubled quotes
  bool quoted_ = false;               ///< some cell of the row was quoted
  bool begins_with_hash_ = false;     ///< the row does, outside quotes
  Index line_ = 1;                    ///< physical line of `position_`
  Index next_line_ = 1;
  Index blank_line_ = 0;  ///< first blank line since the last row, or 0
  bool any_row_ = false;
  Index comments_ = 0;
  bool skips_comments_ = false;  ///< every line that begins with # is a comment
  std::size_t width_ = 0;        ///< number of cells of the first row
  Index later_comments_ = 0, first_later_comment_ = 0;
};

}  // namespace gpcv::csv
