#include "data/tables/notation.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "data/tables/cell.hpp"

namespace gpcv::csv {
namespace {

/// A longer text is no number with groups of digits.
constexpr std::size_t longest_number = 64;

bool is_figure(char c) { return c >= '0' && c <= '9'; }

/// The text with every no-break space, wide or narrow, as a blank.
std::string with_blanks(std::string_view text) {
  std::string plain(text);
  for (const std::string_view space : {"\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89"}) {
    for (std::size_t at = plain.find(space); at != plain.npos; at = plain.find(space, at + 1)) {
      plain.replace(at, space.size(), " ");
    }
  }
  return plain;
}

bool take_suffix(std::string_view& text, char c) {
  if (!text.ends_with(c)) return false;
  text = trim(text.substr(0, text.size() - 1));
  return true;
}

/// The digits without the marks between their groups; nothing when the groups are not of three digits.
std::optional<std::string> ungrouped(std::string_view whole, char group) {
  const std::size_t first = whole.find(group);
  if (first == 0 || first > 3 || whole.front() == '0') return std::nullopt;
  std::string digits(whole.substr(0, first));
  for (std::size_t at = first; at < whole.size(); at += 4) {
    const std::string_view part = whole.substr(at + 1, 3);
    const bool ends = at + 4 == whole.size() || (at + 4 < whole.size() && whole[at + 4] == group);
    if (whole[at] != group || part.size() != 3 || !ends || !std::all_of(part.begin(), part.end(), is_figure)) {
      return std::nullopt;
    }
    digits += part;
  }
  return std::all_of(digits.begin(), digits.end(), is_figure) ? std::optional(digits) : std::nullopt;
}

/// The number in the notation that parse_cell reads; nothing when it is none.
std::optional<std::string> in_plain_notation(std::string_view text, char mark, WrittenNumber& number) {
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const std::string_view body = text.substr(sign);
  const std::size_t whole_size = std::min(body.find_first_of(std::string{mark, 'e', 'E'}), body.size());
  std::string_view rest = body.substr(whole_size);
  std::string plain(text.substr(0, sign));
  const std::string_view whole = body.substr(0, whole_size);
  const std::size_t odd =
      static_cast<std::size_t>(std::find_if_not(whole.begin(), whole.end(), is_figure) - whole.begin());
  if (odd == whole.size()) {
    plain += whole;
  } else {
    const char group = whole[odd];
    if (group != ' ' && group != '\'' && group != (mark == '.' ? ',' : '.')) return std::nullopt;
    const auto digits = ungrouped(whole, group);
    if (!digits) return std::nullopt;
    plain += *digits;
    number.grouped = true;
    number.points_group = group == '.';
  }
  if (rest.starts_with(mark)) {
    number.fraction = true;
    plain += '.';
    rest.remove_prefix(1);
  }
  if (rest.find_first_not_of("0123456789eE+-") != rest.npos) return std::nullopt;
  return plain + std::string(rest);
}

}  // namespace

std::optional<WrittenNumber> parse_written(std::string_view text, Decimal decimal) {
  if (text.size() > longest_number) return std::nullopt;
  const std::string blanks = with_blanks(text);
  std::string_view rest = trim(blanks);
  WrittenNumber number;
  number.percent = take_suffix(rest, '%');
  number.comma = rest.find(',') != rest.npos;
  const auto plain = in_plain_notation(rest, decimal == Decimal::comma ? ',' : '.', number);
  if (!plain) return std::nullopt;
  const Cell cell = parse_cell(*plain);
  if (cell.kind != CellKind::number) return std::nullopt;
  number.value = number.percent ? cell.value / 100 : cell.value;
  return number;
}

bool is_written_number(std::string_view text) {
  return parse_written(text, Decimal::point).has_value() || parse_written(text, Decimal::comma).has_value();
}

}  // namespace gpcv::csv
