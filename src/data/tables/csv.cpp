#include "data/tables/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "data/tables/preamble.hpp"

namespace gpcv::csv {
namespace {

// To detect the delimiter, at most this many bytes of a row are examined.
constexpr std::size_t delimiter_window = std::size_t{1} << 20;

std::size_t unescape(char* text, std::size_t size) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < size; ++i) {
    text[kept++] = text[i];
    if (text[i] == '"') ++i;
  }
  return kept;
}

}  // namespace

Reader::Reader(const std::filesystem::path& path, const ReaderOptions& options)
    : path_(path), options_(options), source_(path) {
  refill();
  find_table();
  for (char c : {delimiter_, '\n', '\r'}) ends_cell_[static_cast<unsigned char>(c)] = true;
}

/// Finds the first line of the table and its delimiter.
void Reader::find_table() {
  for (;;) {
    const bool complete = source_ended_ || filled_ - position_ >= delimiter_window;
    if (const auto found = find_preamble({begin(), end()}, complete)) {
      delimiter_ = found->delimiter;
      comments_ = found->comments;
      skips_comments_ = comments_ > 0;
      line_ += line_ends({begin(), found->size});
      position_ += found->size;
      return;
    }
    refill();
  }
}

/// Moves the unconsumed bytes to the front of the buffer and reads one chunk after them.
bool Reader::refill() {
  if (source_ended_) return false;
  const std::size_t kept = filled_ - position_;
  if (kept > 0 && position_ > 0) std::memmove(buffer_.data(), begin(), kept);
  position_ = 0;
  filled_ = kept;
  const std::size_t needed = kept + options_.chunk_bytes + 1;
  if (buffer_.size() < needed) buffer_.resize(std::max(needed, kept + kept / 2));
  const std::size_t count = source_.read(buffer_.data() + kept, options_.chunk_bytes);
  filled_ += count;
  buffer_[filled_] = '\n';
  source_ended_ = count == 0;
  require_text(kept);
  return count > 0;
}

void Reader::require_text(std::size_t begin) const {
  const void* zero = std::memchr(buffer_.data() + begin, '\0', filled_ - begin);
  if (zero == nullptr) return;
  const std::string_view before(buffer_.data(),
                                static_cast<std::size_t>(static_cast<const char*>(zero) - buffer_.data()));
  const std::size_t row_begin = before.find_last_of("\r\n") + 1;  // npos + 1 = 0
  const auto cell = std::count(before.begin() + static_cast<std::ptrdiff_t>(row_begin), before.end(), delimiter_);
  fail_at(path_, line_ + line_ends(before), cell,
          "a NUL byte: this is a binary file, not a text table; export the table as CSV in UTF-8");
}

bool Reader::next(Row& row) {
  while (scan_next()) {
    const Index line = line_;
    line_ = next_line_;
    if (is_blank_row()) {
      if (any_row_ && blank_line_ == 0) blank_line_ = line;
      continue;
    }
    if (is_comment_row()) {
      if (later_comments_++ == 0) first_later_comment_ = line;
      continue;
    }
    if (blank_line_ != 0) fail_at(path_, blank_line_, 0, "blank line inside the table; remove it");
    if (!any_row_) width_ = cells_.size();
    any_row_ = true;
    if (!escaped_.empty()) unescape_cells();
    row = {cells_, line, next_line_ == line + 1};
    return true;
  }
  return false;
}

/// Finds the cells of the next line, blank or not; false at the end.
bool Reader::scan_next() {
  for (;;) {
    if (position_ == filled_ && source_ended_) return false;
    if (position_ < filled_ && scan_row()) return true;
    if (filled_ - position_ > options_.longest_row) {
      fail_here(
          fmt::format("the row is longer than {} bytes; close the quote that may be open here", options_.longest_row));
    }
    refill();
  }
}

/// Finds the cells of one line; false when the buffer ends before the line does.
bool Reader::scan_row() {
  cells_.clear();
  escaped_.clear();
  quoted_ = false;
  begins_with_hash_ = *skip_blanks(begin()) == '#';
  for (const char* at = begin();; ++at) {
    at = skip_blanks(at);
    if (*at == '"') {
      at = scan_quoted(at);
      if (at == nullptr) return false;
    } else {
      const char* cell = at;
      while (!ends_cell_[static_cast<unsigned char>(*at)]) ++at;
      cells_.emplace_back(cell, static_cast<std::size_t>(at - cell));
    }
    if (at == end() || *at != delimiter_) return end_row(at);
  }
}

/// Appends the cell whose quote opens here. Returns the position of the character that ends the cell, or null when the
/// buffer ends first.
const char* Reader::scan_quoted(const char* open) {
  const char* close = open + 1;
  bool doubled = false;
  for (;; close += 2) {
    close = static_cast<const char*>(std::memchr(close, '"', static_cast<std::size_t>(end() - close)));
    if (close == nullptr && source_ended_) {
      const std::string_view rest(open, static_cast<std::size_t>(end() - open));
      fail_here(fmt::format("the quote that opens here is never closed: {}; close or double it", excerpt(rest)));
    }
    if (close == nullptr) return nullptr;
    if (close[1] != '"') break;
    doubled = true;
  }
  const char* at = skip_blanks(close + 1);
  if (!ends_cell_[static_cast<unsigned char>(*at)]) {
    const char* stop = at;
    while (!ends_cell_[static_cast<unsigned char>(*stop)]) ++stop;
    if (stop == end() && !source_ended_) return nullptr;
    fail_here(fmt::format("{} follows a closing quote; double every quote inside a quoted cell",
                          excerpt({at, static_cast<std::size_t>(stop - at)})));
  }
  if (doubled) escaped_.push_back(cells_.size());
  cells_.emplace_back(open + 1, static_cast<std::size_t>(close - open - 1));
  quoted_ = true;
  return at;
}

/// Skips the line end at `at`; false when more bytes are needed to know where it ends.
bool Reader::end_row(const char* at) {
  const bool maybe_half = at == end() || (*at == '\r' && at + 1 == end());
  if (maybe_half && !source_ended_) return false;
  if (*at == '\r' && at + 1 != end() && at[1] == '\n') ++at;
  position_ = std::min(filled_, static_cast<std::size_t>(at + 1 - buffer_.data()));
  next_line_ = line_ + 1;
  if (quoted_) {
    for (std::string_view cell : cells_) next_line_ += line_ends(cell);
  }
  return true;
}

bool Reader::is_blank_row() const { return !quoted_ && cells_.size() == 1 && cells_.front().empty(); }

bool Reader::is_comment_row() const {
  return begins_with_hash_ && any_row_ && (skips_comments_ || cells_.size() != width_);
}

void Reader::unescape_cells() {
  for (std::size_t i : escaped_) {
    char* text = buffer_.data() + (cells_[i].data() - buffer_.data());
    cells_[i] = {text, unescape(text, cells_[i].size())};
  }
}

/// Reports an error in the cell after those already found in this row.
void Reader::fail_here(std::string_view what) const {
  const auto cell = static_cast<Index>(cells_.size());
  fail_at(path_, line_of(cells_, line_, cell), cell, what);
}

}  // namespace gpcv::csv
