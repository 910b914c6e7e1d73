/// Which character separates the cells of a table.
#pragma once

#include <optional>
#include <string_view>

namespace gpcv::csv {

/// Comma, tab or semicolon, judged from the first two rows of `text`; nothing when `text` ends before
/// they do and `complete` is false.
std::optional<char> detect_delimiter(std::string_view text, bool complete);

}  // namespace gpcv::csv
