/// A delimited file with named columns and rows of equal length.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "data/tables/csv.hpp"
#include "gpcv/dataset.hpp"

namespace gpcv::csv {

/// A table throws InputError when it has no row of data, or when a row has more or fewer cells than the first.
class Table {
 public:
  /// A table in one file or in several, which have the same columns.
  Table(const std::filesystem::path& path, Header header, const ReaderOptions& options = {},
        std::vector<std::filesystem::path> more = {});

  /// The same table from its beginning.
  Table again() const { return {files_.front(), has_header_ ? Header::yes : Header::no, options_, further_files()}; }
  /// Whether the table can be read again.
  bool is_rereadable() const { return std::all_of(files_.begin(), files_.end(), csv::is_rereadable); }

  /// Reads the next row of data; false at the end.
  bool next(Row& row);

  /// The file of the row that was read last.
  const std::filesystem::path& path() const { return files_[file_]; }
  /// The names from the header; "c0", "c1", … for columns without a name.
  const std::vector<std::string>& names() const { return names_; }
  Index columns() const { return static_cast<Index>(names_.size()); }
  bool has_header() const { return has_header_; }
  /// The line of the header, or of the first row when there is no header.
  Index first_line() const { return first_line_; }
  /// The first encoding other than UTF-8 so far, or UTF-8.
  Encoding encoding() const { return encoding_ == Encoding::utf8 ? reader_.encoding() : encoding_; }
  /// The number of lines of comments before the table.
  Index comments() const { return comments_; }
  /// The number of lines of comments within and after the table so far, and the place of the first.
  Index later_comments() const { return later_comments_ + reader_.later_comments(); }
  std::string first_later_comment() const;
  /// The number of columns at the right end that have neither a name nor a cell and are left out.
  Index empty_columns() const { return empty_columns_; }

 private:
  /// A copy of a row. The first two rows are examined before the first is returned.
  struct KeptRow {
    explicit KeptRow(const Row& row)
        : cells(row.cells.begin(), row.cells.end()), line(row.line), one_line(row.one_line) {}
    std::vector<std::string> cells;
    Index line;
    bool one_line;
  };

  bool looks_like_header() const;
  void leave_out_empty_columns();
  void skip_comments();
  void open_next_file();
  void name_columns();
  void require_full(Row& row) const;
  bool next_in_files(Row& row);
  void require_same_header(const Row& row) const;
  std::vector<std::filesystem::path> further_files() const { return {files_.begin() + 1, files_.end()}; }

  std::vector<std::filesystem::path> files_;
  std::size_t file_ = 0;  ///< the file that is being read
  ReaderOptions options_;
  Reader reader_;
  Encoding encoding_ = Encoding::utf8;  ///< of the files before
  Index comments_ = 0;
  Index later_comments_ = 0;  ///< of the files before
  std::string first_later_comment_;
  Index empty_columns_ = 0;
  std::vector<KeptRow> opening_;
  std::size_t replayed_ = 0;
  std::vector<std::string_view> replayed_cells_;
  std::vector<std::string> names_;
  bool has_header_ = false;
  Index first_line_ = 1;
};

}  // namespace gpcv::csv
