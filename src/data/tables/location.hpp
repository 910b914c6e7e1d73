/// Where in a table something is wrong, and how to say so in one line.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpcv/remedy.hpp"
#include "gpcv/types.hpp"

namespace gpcv::csv {

/// One row; its cells are valid until the next one is read.
struct Row {
  std::span<const std::string_view> cells;
  Index line = 0;         ///< physical line of its first cell, from 1
  bool one_line = false;  ///< no cell holds a line end
};

/// Physical line on which a cell (from 0) of the row begins; quoted cells before it may hold line ends.
Index line_of(std::span<const std::string_view> cells, Index row_line, Index cell);
/// Line ends (LF, CRLF or CR) in a text.
Index line_ends(std::string_view text);

/// "path:line:column: what"
std::string located(const std::filesystem::path& path, const Row& row, Index cell, std::string_view what);
/// Throws InputError "path:line:column: what"; `cell` counts from 0, the message from 1.
[[noreturn]] void fail_at(const std::filesystem::path& path, Index line, Index cell, std::string_view what);
[[noreturn]] void fail_at(const std::filesystem::path& path, const Row& row, Index cell, std::string_view what,
                          Remedy remedy = Remedy::none, std::vector<std::string> facts = {});

/// 'text' on one line, control characters escaped, cut after about 40 bytes.
std::string excerpt(std::string_view text);
/// 'a', 'b', 'c': at most ten of them, then how many there are.
std::string list_names(const std::vector<std::string>& names);

}  // namespace gpcv::csv
