#include "data/tables/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/tables/cell.hpp"
#include "data/tables/notation.hpp"
#include "gpcv/error.hpp"

namespace gpcv::csv {

Table::Table(const std::filesystem::path& path, Header header, const ReaderOptions& options,
             std::vector<std::filesystem::path> more)
    : files_(std::move(more)), options_(options), reader_(path, options), comments_(reader_.comments()) {
  files_.insert(files_.begin(), path);
  Row row;
  while (opening_.size() < 2 && reader_.next(row)) {
    opening_.emplace_back(row);
    skip_comments();
  }
  if (opening_.empty()) {
    throw InputError(fmt::format("{}:1:1: the file is empty; expected a table with a row of numbers", path.string()));
  }
  first_line_ = opening_.front().line;
  has_header_ = header == Header::yes || (header == Header::automatic && looks_like_header());
  name_columns();
  leave_out_empty_columns();
  skip_comments();
  if (has_header_ && opening_.size() < 2) {
    fail_at(path, first_line_, 0,
            fmt::format("the table has only a header ({}); expected a row of numbers below it", list_names(names_)));
  }
  if (has_header_) replayed_ = 1;
}

/// The first row looks like a header when all its cells are text, or when a column has text there and a number or a
/// date below.
bool Table::looks_like_header() const {
  const auto is_text = [](const std::string& cell) {
    return parse_cell(cell).kind == CellKind::text && !is_written_number(cell);
  };
  const auto is_value = [&](const std::string& cell) {
    const CellKind kind = parse_cell(cell).kind;
    return !is_text(cell) && kind != CellKind::empty && kind != CellKind::not_finite;
  };
  const auto& first = opening_.front().cells;
  if (std::all_of(first.begin(), first.end(), is_text)) return true;
  if (opening_.size() < 2) return false;
  const auto& second = opening_[1].cells;
  for (std::size_t j = 0; j < std::min(first.size(), second.size()); ++j) {
    if (is_text(first[j]) && is_value(second[j])) return true;
  }
  return false;
}

void Table::name_columns() {
  const auto& first = opening_.front().cells;
  for (std::size_t j = 0; j < first.size(); ++j) {
    const std::string_view name = has_header_ ? trim(first[j]) : std::string_view();
    names_.push_back(name.empty() ? fmt::format("c{}", j) : std::string(name));
  }
}

/// Spreadsheets write columns that only look used: every row ends in delimiters, and the header has no names there.
void Table::leave_out_empty_columns() {
  if (!has_header_ || opening_.size() < 2 || opening_[1].cells.size() != names_.size()) return;
  const auto& header = opening_.front().cells;
  const auto& first = opening_[1].cells;
  while (names_.size() > 1 && trim(header[names_.size() - 1]).empty() && trim(first[names_.size() - 1]).empty()) {
    names_.pop_back();
    ++empty_columns_;
  }
}

/// In a table whose first column is numeric, a line that begins with # is no row.
void Table::skip_comments() {
  const std::size_t first = has_header_ ? 1 : 0;
  if (opening_.size() <= first) return;
  const std::string& cell = opening_[first].cells.front();
  const CellKind kind = parse_cell(cell).kind;
  if (kind == CellKind::number || kind == CellKind::date || is_written_number(cell)) reader_.skip_comment_lines();
}

std::string Table::first_later_comment() const {
  if (!first_later_comment_.empty() || reader_.later_comments() == 0) return first_later_comment_;
  return fmt::format("{}:{}", path().string(), reader_.first_later_comment());
}

bool Table::next(Row& row) {
  if (replayed_ < opening_.size()) {
    const KeptRow& kept = opening_[replayed_++];
    replayed_cells_.assign(kept.cells.begin(), kept.cells.end());
    row = {replayed_cells_, kept.line, kept.one_line};
  } else if (!next_in_files(row)) {
    return false;
  }
  require_full(row);
  return true;
}

/// Reads the next row of this file or of the next one.
bool Table::next_in_files(Row& row) {
  while (!reader_.next(row)) {
    if (file_ + 1 == files_.size()) return false;
    open_next_file();
    if (!reader_.next(row)) continue;
    if (!has_header_) return true;
    require_same_header(row);
  }
  return true;
}

void Table::open_next_file() {
  encoding_ = encoding();
  first_later_comment_ = first_later_comment();
  later_comments_ = later_comments();
  reader_ = Reader(files_[++file_], options_);
  skip_comments();
}

void Table::require_same_header(const Row& row) const {
  for (std::size_t j = 0; j < std::max(names_.size(), row.cells.size()); ++j) {
    const std::string_view found = j < row.cells.size() ? trim(row.cells[j]) : std::string_view();
    const bool left_out = j >= names_.size() && j < names_.size() + static_cast<std::size_t>(empty_columns_);
    const bool same = left_out ? found.empty()
                               : j < std::min(names_.size(), row.cells.size()) && (found == names_[j] || found.empty());
    if (same) continue;
    const std::string expected = j < names_.size() ? excerpt(names_[j]) : "no further column";
    fail_at(
        path(), row, static_cast<Index>(j),
        fmt::format("the header has {} where {} has {}; the files of one table need the same header",
                    j < row.cells.size() ? excerpt(found) : "no further column", files_.front().string(), expected));
  }
}

/// Throws InputError unless the row has a cell for every column; cells of columns that are left out are removed.
void Table::require_full(Row& row) const {
  const std::size_t columns = names_.size(), expected = columns + static_cast<std::size_t>(empty_columns_);
  const std::size_t found = row.cells.size();
  if (found == expected) {
    for (std::size_t j = columns; j < expected; ++j) {
      if (trim(row.cells[j]).empty()) continue;
      fail_at(
          path(), row, static_cast<Index>(j),
          fmt::format("{} is in a column that has no name and was empty before; name the column, or remove the cell",
                      excerpt(row.cells[j])));
    }
    row.cells = row.cells.first(columns);
    return;
  }
  const char delimiter = reader_.delimiter();
  const auto text = found < expected
                        ? std::string("the row ends early; add what is missing")
                        : fmt::format("{} is the first extra cell; remove it, or quote a cell that holds {}",
                                      excerpt(row.cells[expected]), excerpt({&delimiter, 1}));
  fail_at(path(), row, static_cast<Index>(std::min(found, expected)),
          fmt::format("expected {} cell{} as in line {}, found {}: {}", expected, expected == 1 ? "" : "s", first_line_,
                      found, text));
}

}  // namespace gpcv::csv
