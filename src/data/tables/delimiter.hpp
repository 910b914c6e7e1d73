/// Detection of the character that separates the cells of a table.
#pragma once

#include <optional>
#include <string_view>

namespace gpcv::csv {

/// The delimiter (comma, tab or semicolon) according to the first two rows of `text`; nothing when `text` ends before
/// those rows do and `complete` is false.
std::optional<char> detect_delimiter(std::string_view text, bool complete);

}  // namespace gpcv::csv
