/// The meaning of the text of a cell.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpcv::csv {

enum class CellKind {
  number,
  date,
  empty,
  not_finite,    ///< NaN, inf, NA and other spellings of "no value"
  out_of_range,  ///< a number double precision cannot hold
  no_such_date,  ///< the shape of a date that the calendar does not have
  text,
};

struct Cell {
  CellKind kind = CellKind::empty;
  double value = 0;  ///< the number, or the decimal year of the date
};

/// Parses a cell; blanks around the value and a leading plus are accepted.
Cell parse_cell(std::string_view text);

/// 1 or 0 of the words TRUE and FALSE in any case; nothing for other texts.
std::optional<bool> parse_truth(std::string_view text);

/// Whether the cell is empty, a spelling of "no value", an error of a spreadsheet or one of the texts `also`, as text
/// or as number. An infinity is a value, though not a usable one.
bool is_missing(std::string_view text, const std::vector<std::string>& also = {});

/// The text without blanks at both ends.
std::string_view trim(std::string_view text);

}  // namespace gpcv::csv
