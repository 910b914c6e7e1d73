/// One column of a table as numbers, or as dates.
#pragma once

#include <optional>

#include "data/cell.hpp"
#include "data/table.hpp"

namespace gpcv::csv {

class NumberColumn {
 public:
  explicit NumberColumn(Index position) : position_(position) {}

  /// The row's value. Throws InputError when it has none, or when a number stands among dates.
  double value(const Row& row, const Table& table) {
    const Cell cell = parse_cell(row.cells[static_cast<std::size_t>(position_)]);
    if (cell.kind != kind_) settle(cell.kind, row, table);
    return cell.value;
  }

 private:
  void settle(CellKind kind, const Row& row, const Table& table);
  std::string complaint(CellKind kind, std::string_view text, const Row& row, const Table& table) const;

  Index position_;
  std::optional<CellKind> kind_;  ///< number or date, once a row was read
  Index first_line_ = 0;
};

}  // namespace gpcv::csv
