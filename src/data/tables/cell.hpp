/// What the text of one cell means.
#pragma once

#include <string_view>

namespace gpcv::csv {

enum class CellKind {
  number,
  date,
  empty,
  not_finite,    ///< NaN, inf, NA and other spellings of "no value"
  out_of_range,  ///< a number double precision cannot hold
  no_such_date,  ///< the shape of a date, but not in the calendar
  text,
};

struct Cell {
  CellKind kind = CellKind::empty;
  double value = 0;  ///< of a number, or the decimal year of a date
};

/// Blanks around the value and a leading plus are accepted.
Cell parse_cell(std::string_view text);

/// Empty, or a spelling of "no value"; an infinity is a value, though not one to compute with.
bool is_missing(std::string_view text);

std::string_view trim(std::string_view text);

}  // namespace gpcv::csv
