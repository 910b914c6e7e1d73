#include "data/tables/location.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gpcv/error.hpp"

namespace gpcv::csv {

Index line_ends(std::string_view text) {
  Index count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool lone_return = text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n');
    count += text[i] == '\n' || lone_return;
  }
  return count;
}

Index line_of(std::span<const std::string_view> cells, Index row_line, Index cell) {
  for (std::string_view text : cells.first(std::min(static_cast<std::size_t>(cell), cells.size()))) {
    row_line += line_ends(text);
  }
  return row_line;
}

namespace {

std::string located(const std::filesystem::path& path, Index line, Index cell, std::string_view what) {
  return fmt::format("{}:{}:{}: {}", path.string(), line, cell + 1, what);
}

}  // namespace

std::string located(const std::filesystem::path& path, const Row& row, Index cell, std::string_view what) {
  return located(path, line_of(row.cells, row.line, cell), cell, what);
}

void fail_at(const std::filesystem::path& path, Index line, Index cell, std::string_view what) {
  throw InputError(located(path, line, cell, what));
}

void fail_at(const std::filesystem::path& path, const Row& row, Index cell, std::string_view what, Remedy remedy,
             std::vector<std::string> facts) {
  throw InputError(located(path, row, cell, what), remedy, std::move(facts));
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t longest = 40;
  const bool cut = text.size() > longest;
  if (cut) {
    // The text is not cut inside a UTF-8 character, whose later bytes are 10xxxxxx.
    std::size_t size = longest;
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
    text = text.substr(0, size);
  }
  std::string quoted = "'";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\r') {
      quoted += "\\r";
    } else if (c == '\t') {
      quoted += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      quoted += fmt::format("\\x{:02x}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + (cut ? "…'" : "'");
}

std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t most = 10;
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) {
    list += (i > 0 ? ", " : "") + excerpt(names[i]);
  }
  if (names.size() > most) list += fmt::format(", … ({} in all)", names.size());
  return list;
}

}  // namespace gpcv::csv
