#include "data/tables/delimiter.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace gpcv::csv {
namespace {

// The comma comes last, because cells of other tables may contain decimal commas or commas in text.
constexpr std::array<char, 3> candidates = {'\t', ';', ','};
using Counts = std::array<std::size_t, candidates.size()>;

bool ends_line(char c) { return c == '\n' || c == '\r'; }

/// The position just after the quoted cell that opens at `open`; npos when it is not closed.
std::size_t skip_quoted(std::string_view text, std::size_t open) {
  std::size_t close = text.find('"', open + 1);
  while (close != text.npos && close + 1 < text.size() && text[close + 1] == '"') close = text.find('"', close + 2);
  return close == text.npos ? text.npos : close + 1;
}

/// Counts each candidate outside quotes in the first row of `text` and removes that row.
/// False when the text ends before a line end does; all of it is then removed.
bool take_row(std::string_view& text, Counts& counts) {
  counts = {};
  bool cell_begins = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && cell_begins) {
      i = skip_quoted(text, i);
      if (i >= text.size()) break;
    }
    if (ends_line(text[i])) {
      text.remove_prefix(i + 1);
      return true;
    }
    const auto found = std::find(candidates.begin(), candidates.end(), text[i]);
    if (found != candidates.end()) ++counts[static_cast<std::size_t>(found - candidates.begin())];
    cell_begins = found != candidates.end() || (cell_begins && text[i] == ' ');
  }
  text = {};
  return false;
}

void skip_blank_lines(std::string_view& text) {
  const std::size_t begin = text.find_first_not_of("\r\n");
  text.remove_prefix(begin == text.npos ? text.size() : begin);
}

}  // namespace

std::optional<char> detect_delimiter(std::string_view text, bool complete) {
  Counts first{}, second{};
  skip_blank_lines(text);
  if (!take_row(text, first) && !complete) return std::nullopt;
  skip_blank_lines(text);
  const bool has_second = !text.empty();
  if (!take_row(text, second) && !complete) return std::nullopt;

  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (first[i] > 0 && (!has_second || first[i] == second[i])) return candidates[i];
  }
  // No candidate fits both rows: the table is ragged, and the reader will report that for the most likely candidate.
  const auto most = std::max_element(first.begin(), first.end());
  return *most > 0 ? candidates[static_cast<std::size_t>(most - first.begin())] : ',';
}

}  // namespace gpcv::csv
