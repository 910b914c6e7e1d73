/// A delimited file with named columns and rows of equal length.
#pragma once

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
  Table(const std::filesystem::path& path, Header header, const ReaderOptions& options = {});

  /// Reads the next row of data; false at the end.
  bool next(Row& row);

  const std::filesystem::path& path() const { return path_; }
  /// The names from the header; "c0", "c1", … for columns without a name.
  const std::vector<std::string>& names() const { return names_; }
  Index columns() const { return static_cast<Index>(names_.size()); }
  bool has_header() const { return has_header_; }
  /// The line of the header, or of the first row when there is no header.
  Index first_line() const { return first_line_; }

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
  void name_columns();
  void require_full(const Row& row) const;

  std::filesystem::path path_;
  Reader reader_;
  std::vector<KeptRow> opening_;
  std::size_t replayed_ = 0;
  std::vector<std::string_view> replayed_cells_;
  std::vector<std::string> names_;
  bool has_header_ = false;
  Index first_line_ = 1;
};

}  // namespace gpcv::csv
