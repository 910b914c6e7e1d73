/// A column of a table as numbers or as dates.
#pragma once

#include <optional>
#include <string>

#include "data/tables/cell.hpp"
#include "data/tables/table.hpp"

namespace gpcv::csv {

/// The first row decides whether the column holds numbers or dates.
class NumberColumn {
 public:
  explicit NumberColumn(Index position, Missing missing = Missing::error) : position_(position), policy_(missing) {}

  /// The value of the row. Throws InputError for a cell that is not of the column's kind; returns NaN for a missing
  /// cell whose row is to be dropped.
  double value(const Row& row, const Table& table) {
    const Cell cell = parse_cell(row.cells[static_cast<std::size_t>(position_)]);
    if (cell.kind != kind_) return settle(cell, row, table);
    return cell.value;
  }

  Index position() const { return position_; }
  bool holds_dates() const { return kind_ == CellKind::date; }
  /// The number of missing cells so far, and the message about the first.
  Index missing() const { return missing_; }
  const std::string& first_missing() const { return first_missing_; }

 private:
  double settle(const Cell& cell, const Row& row, const Table& table);
  std::string complaint(CellKind kind, std::string_view text) const;

  Index position_;
  Missing policy_;
  std::optional<CellKind> kind_;  ///< number or date, after the first row
  Index first_line_ = 0;
  Index missing_ = 0;
  std::string first_missing_;
};

}  // namespace gpcv::csv
