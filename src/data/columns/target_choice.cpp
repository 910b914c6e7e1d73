#include "data/columns/target_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/name_lists.hpp"
#include "data/columns/column_choice.hpp"
#include "gpcv/error.hpp"

namespace gpcv::csv {
namespace {

[[noreturn]] void refuse_targets(const Table& table, std::string_view why) {
  throw InputError(fmt::format("{}:{}: {}", table.path().string(), table.first_line(), why));
}

bool is_named(const Table& table, std::string_view name) { return !positions_named(table, name).empty(); }

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

/// Throws InputError for two targets of one name, which could not be told apart later.
void require_different_names(const Table& table, const std::vector<Index>& targets) {
  std::set<std::string_view> names;
  for (const Index position : targets) {
    const std::string& name = table.names()[static_cast<std::size_t>(position)];
    if (!names.insert(name).second)
      refuse_targets(table, fmt::format("two targets are named {}; rename one of the columns", excerpt(name)));
  }
}

}  // namespace

std::vector<Index> choose_targets(const Table& table, const std::vector<std::string>& wanted) {
  std::vector<Index> targets;
  for (const std::string& text : wanted) {
    const bool several = !is_named(table, text) && is_list(table.names(), text);
    const std::vector<std::string> names = several ? listed_texts(table.names(), text) : std::vector{text};
    for (const std::string& name : names) add_target(targets, table, name);
  }
  if (targets.empty()) refuse_targets(table, "no target is named");
  require_different_names(table, targets);
  return targets;
}

}  // namespace gpcv::csv
