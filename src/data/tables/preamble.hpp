/// The lines before a table, and the character that separates its cells.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "gpcv/types.hpp"

namespace gpcv::csv {

/// The delimiter (tab, semicolon, bar or comma) according to the first two rows of `text`; nothing when `text` ends
/// before those rows do and `complete` is false.
std::optional<char> detect_delimiter(std::string_view text, bool complete);

/// What comes before a table.
struct Preamble {
  std::size_t size = 0;  ///< bytes before the first row of the table
  char delimiter = ',';
  Index comments = 0;  ///< number of lines of comments
};

/// The preamble of a text: blank lines, the line "sep=;" of spreadsheets, and comments, which begin with #. The last
/// comment is the header when it has as many cells as the row of numbers below it. Nothing when `text` is too short to
/// tell and `complete` is false.
std::optional<Preamble> find_preamble(std::string_view text, bool complete);

}  // namespace gpcv::csv
