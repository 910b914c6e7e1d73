/// Error messages with the position in a table, each in one line.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpcv/remedy.hpp"
#include "gpcv/types.hpp"

namespace gpcv::csv {

/// A row, whose cells are valid until the next row is read.
struct Row {
  std::span<const std::string_view> cells;
  Index line = 0;         ///< physical line of its first cell, from 1
  bool one_line = false;  ///< no cell holds a line end
};

/// The physical line on which a cell (counted from 0) begins; quoted cells before it may contain line ends.
Index line_of(std::span<const std::string_view> cells, Index row_line, Index cell);
/// The number of line ends (LF, CRLF or CR) in a text.
Index line_ends(std::string_view text);

/// The message "path:line:column: what".
std::string located(const std::filesystem::path& path, const Row& row, Index cell, std::string_view what);
/// Throws InputError "path:line:column: what"; `cell` counts from 0, the message from 1.
[[noreturn]] void fail_at(const std::filesystem::path& path, Index line, Index cell, std::string_view what);
[[noreturn]] void fail_at(const std::filesystem::path& path, const Row& row, Index cell, std::string_view what,
                          Remedy remedy = Remedy::none, std::vector<std::string> facts = {});

/// The text in quotes on one line, with control characters escaped, truncated after about 40 bytes.
std::string excerpt(std::string_view text);
/// The names as 'a', 'b', 'c': at most ten, then the number of all.
std::string list_names(const std::vector<std::string>& names);

}  // namespace gpcv::csv
