/// ISO 8601 dates as decimal years.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "gpcv/export.hpp"

namespace gpcv {

/// Text of the shape YYYY-MM[-DD[(T or space)HH:MM[:SS[.fff]][Z or ±HH[[:]MM]]]]. A time with an offset is converted to
/// UTC.
struct IsoDate {
  bool valid = false;       ///< whether the calendar has this date and time
  double decimal_year = 0;  ///< year + (time since 1 January) / (length of that year)
};

/// Parses a date; nothing when the text does not have the shape of one.
GPCV_EXPORT std::optional<IsoDate> parse_iso_date(std::string_view text);

/// Decimal year of a moment of UTC: a number of days after 1970-01-01, and seconds of that day.
GPCV_EXPORT double decimal_year(std::int64_t days, double seconds = 0);

}  // namespace gpcv
