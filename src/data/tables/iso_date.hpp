/// ISO 8601 dates as decimal years.
#pragma once

#include <optional>
#include <string_view>

namespace gpcv::csv {

/// A text of the shape YYYY-MM[-DD[(T or space)HH:MM[:SS[.fff]][Z or ±HH[[:]MM]]]]. A time with an offset is converted
/// to UTC.
struct IsoDate {
  bool valid = false;       ///< whether the calendar has this date and time
  double decimal_year = 0;  ///< year + (time since 1 January) / (length of that year)
};

/// Parses a date; nothing when the text does not have the shape of one.
std::optional<IsoDate> parse_iso_date(std::string_view text);

/// The decimal year of a day that is written as the number YYYYMMDD; nothing when the calendar has no such day.
std::optional<double> parse_compact_date(double number);

/// Whether a number can be a decimal year.
constexpr bool is_plausible_year(double number) { return number >= 0 && number < 10000; }

}  // namespace gpcv::csv
