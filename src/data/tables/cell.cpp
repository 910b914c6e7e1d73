#include "data/tables/cell.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "data/tables/iso_date.hpp"

namespace gpcv::csv {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Whether the text is the word, which is in lower case, in any case.
bool is_word(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) { return lower(a) == b; });
}

bool says_no_value(std::string_view text) {
  constexpr std::array<std::string_view, 28> spellings = {
      "na",      "n/a",      "n.a.",  "#n/a",    "#n/a n/a", "#na",    "#nv",     "nan",    "nat", "null",
      "inf",     "infinity", "none",  "nil",     "?",        "-",      "\u2013",  "\u2014", ".",   "\\n",
      "#div/0!", "#null!",   "#num!", "#value!", "#ref!",    "#name?", "#spill!", "<na>"};
  while (text.size() > 1 && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return std::any_of(spellings.begin(), spellings.end(),
                     [&](std::string_view spelling) { return is_word(text, spelling); });
}

/// The kind of a cell that is no number.
Cell parse_other(std::string_view text) {
  if (text.empty()) return {CellKind::empty, 0};
  if (says_no_value(text)) return {CellKind::not_finite, 0};
  if (const auto date = parse_iso_date(text)) {
    return {date->valid ? CellKind::date : CellKind::no_such_date, date->decimal_year};
  }
  return {CellKind::text, 0};
}

/// A cell if the whole text is a number, in range or not. "inf" and "nan" are excluded, which from_chars would read.
std::optional<Cell> parse_number(std::string_view text) {
  const char* const end = text.data() + text.size();
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) return Cell{CellKind::out_of_range, 0};
  if (!std::isfinite(value)) return std::nullopt;
  return Cell{CellKind::number, value};
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

Cell parse_cell(std::string_view text) {
  // Most cells are numbers without blanks or a plus.
  if (const auto number = parse_number(text)) return *number;
  text = trim(text);
  const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  if (const auto number = parse_number(text.substr(plus))) return *number;
  return parse_other(text);
}

std::optional<bool> parse_truth(std::string_view text) {
  if (is_word(text, "true")) return true;
  return is_word(text, "false") ? std::optional(false) : std::nullopt;
}

bool is_missing(std::string_view text, const std::vector<std::string>& also) {
  text = trim(text);
  if (text.empty()) return true;
  const auto number = also.empty() ? std::nullopt : parse_number(text);
  for (const std::string& other : also) {
    if (text == other) return true;
    const auto same = number ? parse_number(other) : std::nullopt;
    if (same && same->kind == CellKind::number && number->kind == same->kind && number->value == same->value)
      return true;
  }
  const auto is_i = [](char c) { return lower(c) == 'i'; };
  const auto letter = std::find_if_not(text.begin(), text.end(), [](char c) { return c == '-' || c == '+'; });
  return says_no_value(text) && (letter == text.end() || !is_i(*letter));  // inf, infinity
}

}  // namespace gpcv::csv
