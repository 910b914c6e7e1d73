/// Days and years that tables hold as numbers, beside ISO dates.
#pragma once

#include <optional>

#include "gpcv/iso_date.hpp"

namespace gpcv::csv {

/// The decimal year of a day that is written as the number YYYYMMDD; nothing when the calendar has no such day.
std::optional<double> parse_compact_date(double number);

/// Whether a number can be a decimal year.
constexpr bool is_plausible_year(double number) { return number >= 0 && number < 10000; }

}  // namespace gpcv::csv
