#include "data/tables/number_column.hpp"

#include <fmt/format.h>

#include <limits>

namespace gpcv::csv {
namespace {

bool looks_like_decimal_comma(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == text.npos) return false;
  std::string pointed(text);
  pointed[comma] = '.';
  return parse_cell(pointed).kind == CellKind::number;
}

}  // namespace

/// Takes the kind of the first row for the whole column; any other kind is an error.
double NumberColumn::settle(const Cell& cell, const Row& row, const Table& table) {
  const CellKind kind = cell.kind;
  const bool usable = kind == CellKind::number || kind == CellKind::date;
  if (usable && !kind_) {
    kind_ = kind;
    // Every column needs the line of the first row; searching the cells before it would be quadratic in the columns.
    first_line_ = row.one_line ? row.line : line_of(row.cells, row.line, position_);
    return cell.value;
  }
  const std::string_view text = trim(row.cells[static_cast<std::size_t>(position_)]);
  const std::string& name = table.names()[static_cast<std::size_t>(position_)];
  const auto what = [&] { return fmt::format("column {}: {}", excerpt(name), complaint(kind, text)); };
  if (policy_ == Missing::drop && is_missing(text)) {
    if (missing_++ == 0) first_missing_ = located(table.path(), row, position_, what());
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (kind != CellKind::text) fail_at(table.path(), row, position_, what());
  if (looks_like_decimal_comma(text)) {
    fail_at(table.path(), row, position_, what() + "; write a decimal point for the comma");
  }
  if (!table.has_header() && row.line == table.first_line()) {
    fail_at(table.path(), row, position_,
            what() + "; correct it, leave the column out, or say that this line is a header");
  }
  fail_at(table.path(), row, position_, what(), Remedy::make_categorical, {name});
}

std::string NumberColumn::complaint(CellKind kind, std::string_view text) const {
  switch (kind) {
    case CellKind::empty:
      return "the cell is empty; fill it in or remove the row";
    case CellKind::not_finite:
      return fmt::format("{} is not a finite number; fill it in or remove the row", excerpt(text));
    case CellKind::out_of_range:
      return fmt::format("{} is outside the range of double precision; rescale the column", excerpt(text));
    case CellKind::no_such_date:
      return fmt::format("{} is not in the calendar; correct the date", excerpt(text));
    case CellKind::number:
    case CellKind::date:
      return fmt::format("{} is a {} but line {} holds a {}; write the whole column one way", excerpt(text),
                         kind == CellKind::date ? "date" : "number", first_line_,
                         kind_ == CellKind::date ? "date" : "number");
    case CellKind::text:
      break;
  }
  return fmt::format("{} is not a number or an ISO date (YYYY-MM-DD)", excerpt(text));
}

}  // namespace gpcv::csv
