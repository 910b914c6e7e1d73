#include "data/tables/preamble.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "data/tables/cell.hpp"

namespace gpcv::csv {
namespace {

// The comma comes last, because cells of other tables may contain decimal commas or commas in text.
constexpr std::array<char, 4> candidates = {'\t', ';', '|', ','};
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

/// The first line of the text with its line end; nothing when the text may go on.
std::optional<std::string_view> first_line(std::string_view text, bool complete) {
  const std::size_t end = text.find_first_of("\r\n");
  if (end == text.npos) return complete ? std::optional(text) : std::nullopt;
  const bool two = text[end] == '\r' && end + 1 < text.size() && text[end + 1] == '\n';
  if (text[end] == '\r' && end + 1 == text.size() && !complete) return std::nullopt;
  return text.substr(0, end + (two ? 2 : 1));
}

std::string_view without_end(std::string_view line) { return line.substr(0, line.find_first_of("\r\n")); }

/// The delimiter of the line "sep=;".
std::optional<char> declared_delimiter(std::string_view line) {
  line = without_end(line);
  constexpr std::string_view key = "sep=";
  const bool quoted = line.size() > 1 && line.front() == '"' && line.back() == '"';
  if (quoted) line = line.substr(1, line.size() - 2);
  if (line.size() != key.size() + 1 || !line.starts_with(key)) return std::nullopt;
  return line.back();
}

/// Whether a cell of the line is a number or a date.
bool has_value(std::string_view line, char delimiter) {
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(delimiter, begin), line.size());
    const CellKind kind = parse_cell(line.substr(begin, end - begin)).kind;
    if (kind == CellKind::number || kind == CellKind::date) return true;
    begin = end + 1;
  }
  return false;
}

/// The number of bytes before the names in a comment that is the header of the row; nothing for other comments.
std::optional<std::size_t> header_in(std::string_view comment, std::string_view row, char delimiter) {
  comment = without_end(comment);
  row = without_end(row);
  const auto cells = std::count(row.begin(), row.end(), delimiter);
  if (cells == 0 || std::count(comment.begin(), comment.end(), delimiter) != cells) return std::nullopt;
  if (!has_value(row, delimiter)) return std::nullopt;
  return std::min(comment.find_first_not_of("# "), comment.size());
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

std::optional<Preamble> find_preamble(std::string_view text, bool complete) {
  Preamble found;
  std::optional<char> declared;
  std::string_view rest = text, comment;
  for (;;) {
    const std::size_t before = rest.size();
    skip_blank_lines(rest);
    if (rest.empty() && !complete) return std::nullopt;
    if (rest.size() < before) comment = {};
    const bool may_declare = found.comments == 0 && !declared && (rest.starts_with('s') || rest.starts_with('"'));
    if (!rest.starts_with('#') && !may_declare) break;
    const auto line = first_line(rest, complete);
    if (!line) return std::nullopt;
    if (may_declare) {
      declared = declared_delimiter(*line);
      if (!declared) break;
    } else {
      ++found.comments;
      comment = *line;
    }
    rest.remove_prefix(line->size());
  }
  const auto detected = declared ? declared : detect_delimiter(rest, complete);
  if (!detected) return std::nullopt;
  found.delimiter = *detected;
  found.size = text.size() - rest.size();
  if (!comment.empty() && !first_line(rest, complete)) return std::nullopt;
  const auto names = comment.empty() ? std::nullopt : header_in(comment, rest, found.delimiter);
  if (names) {
    found.size -= comment.size() - *names;
    --found.comments;
  }
  return found;
}

}  // namespace gpcv::csv
