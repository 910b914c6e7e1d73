/// Numbers that are written with decimal commas, groups of digits or percent signs.
#pragma once

#include <optional>
#include <string_view>

#include "gpcv/dataset.hpp"

namespace gpcv::csv {

/// A number and how it is written.
struct WrittenNumber {
  double value = 0;           ///< 45 % is 0.45
  bool grouped = false;       ///< a mark separates groups of three digits
  bool points_group = false;  ///< that mark is a point
  bool comma = false;         ///< the text has a comma
  bool fraction = false;      ///< the text has a decimal mark
  bool percent = false;       ///< the text has a percent sign
};

/// Reads a number with this decimal mark, which is not `automatic`. The mark between groups of three digits is the
/// other one of comma and point, a blank or an apostrophe; the first group does not begin with 0. Nothing for other
/// texts.
std::optional<WrittenNumber> parse_written(std::string_view text, Decimal decimal);

/// Whether the text is a number with some decimal mark.
bool is_written_number(std::string_view text);

}  // namespace gpcv::csv
