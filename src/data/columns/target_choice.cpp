#include "data/columns/target_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "data/columns/column_choice.hpp"
#include "data/tables/cell.hpp"
#include "gpcv/error.hpp"

namespace gpcv::csv {
namespace {

[[noreturn]] void refuse_targets(const Table& table, std::string_view why) {
  throw InputError(fmt::format("{}:{}: {}", table.path().string(), table.first_line(), why));
}

bool is_named(const Table& table, std::string_view name) { return !positions_named(table, name).empty(); }

/// Whether the text fits the pattern. After a mismatch the last * takes one more character, so that the time is at most
/// the product of both lengths.
bool fits_pattern(std::string_view text, std::string_view pattern) {
  std::size_t i = 0, j = 0, star = pattern.npos, taken = 0;
  while (i < text.size()) {
    if (j < pattern.size() && pattern[j] == '*') {
      star = j++;
      taken = i;
    } else if (j < pattern.size() && pattern[j] == text[i]) {
      ++i;
      ++j;
    } else if (star != pattern.npos) {
      j = star + 1;
      i = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', j) == pattern.npos;
}

/// The texts between commas. Neighbours that name a column together with the commas between them stay together.
std::vector<std::string> listed_texts(const Table& table, const std::string& text) {
  std::vector<std::string> parts{""}, texts;
  for (const char c : text) c == ',' ? static_cast<void>(parts.emplace_back()) : parts.back().push_back(c);
  const auto joined = [&](std::size_t first, std::size_t end) {
    const auto at = [&](std::size_t i) { return parts.begin() + static_cast<std::ptrdiff_t>(i); };
    return std::string(trim(fmt::format("{}", fmt::join(at(first), at(end), ","))));
  };
  for (std::size_t first = 0, end = 0; first < parts.size(); first = end) {
    end = parts.size();
    while (end > first + 1 && !is_named(table, joined(first, end))) --end;
    texts.push_back(joined(first, end));
  }
  return texts;
}

bool is_target(const std::vector<Index>& targets, Index position) {
  return std::find(targets.begin(), targets.end(), position) != targets.end();
}

void add_columns_that_fit(std::vector<Index>& targets, const Table& table, const std::string& pattern) {
  bool any = false;
  for (Index j = 0; j < table.columns(); ++j) {
    if (!fits_pattern(table.names()[static_cast<std::size_t>(j)], pattern)) continue;
    any = true;
    if (!is_target(targets, j)) targets.push_back(j);
  }
  if (any) return;
  refuse_targets(table, fmt::format("no column fits the pattern {}; the table has {}", excerpt(pattern),
                                    list_names(table.names())));
}

void add_target(std::vector<Index>& targets, const Table& table, const std::string& text) {
  if (text.empty()) refuse_targets(table, "the list of targets has an empty name; leave out a comma");
  if (text.find('*') != text.npos && !is_named(table, text)) return add_columns_that_fit(targets, table, text);
  const Index position = find_column(table, text);
  if (is_target(targets, position)) {
    const std::string& name = table.names()[static_cast<std::size_t>(position)];
    refuse_targets(table, fmt::format("the target {} is asked for twice; name it once", excerpt(name)));
  }
  targets.push_back(position);
}

}  // namespace

std::vector<Index> choose_targets(const Table& table, const std::vector<std::string>& wanted) {
  std::vector<Index> targets;
  for (const std::string& text : wanted) {
    const bool is_list = text.find(',') != text.npos && !is_named(table, text);
    for (const std::string& name : is_list ? listed_texts(table, text) : std::vector<std::string>{text}) {
      add_target(targets, table, name);
    }
  }
  if (targets.empty()) refuse_targets(table, "no target is named");
  return targets;
}

}  // namespace gpcv::csv
