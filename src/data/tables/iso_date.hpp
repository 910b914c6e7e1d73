/// ISO 8601 dates as decimal years.
#pragma once

#include <optional>
#include <string_view>

namespace gpcv::csv {

/// A text of the shape YYYY-MM[-DD[(T or space)HH:MM[:SS[.fff]][Z]]].
struct IsoDate {
  bool valid = false;       ///< false: the shape is right, the calendar has no such moment
  double decimal_year = 0;  ///< year + (time since 1 January) / (length of that year)
};

/// Nothing when the text does not have the shape of a date.
std::optional<IsoDate> parse_iso_date(std::string_view text);

}  // namespace gpcv::csv
