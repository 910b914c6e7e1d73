#include "data/columns/categories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "data/tables/cell.hpp"
#include "gpcv/error.hpp"

namespace gpcv::csv {
namespace {

/// A column with more levels identifies rows; it is not a category.
constexpr std::size_t most_levels = 200;

const std::string& name_at(const Table& table, Index position) {
  return table.names()[static_cast<std::size_t>(position)];
}

}  // namespace

std::vector<std::vector<std::string>> levels_of(const Table& table, const std::vector<Index>& positions,
                                                const ReadOptions& options) {
  std::vector<std::set<std::string, std::less<>>> found(positions.size());
  if (!table.is_rereadable()) {
    throw InputError(
        fmt::format("{}: categorical columns need a table that can be read twice; give a file", table.path().string()));
  }
  Table again = table.again();
  for (Row row; again.next(row);) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const std::string_view text = trim(row.cells[static_cast<std::size_t>(positions[i])]);
      const bool missing = is_missing(text, options.missing_texts);
      if (missing && options.missing != Missing::error) continue;
      if (missing) {
        fail_at(
            again.path(), row, positions[i],
            fmt::format("column {}: the cell {}; fill it in or remove the row", excerpt(name_at(table, positions[i])),
                        text.empty() ? "is empty" : fmt::format("{} is missing", excerpt(text))),
            Remedy::drop_missing_rows, {"1"});
      }
      if (found[i].find(text) != found[i].end()) continue;
      found[i].emplace(text);
      if (found[i].size() > most_levels) {
        fail_at(again.path(), row, positions[i],
                fmt::format("column {} has more than {} levels: it is not a category; leave the column out",
                            excerpt(name_at(table, positions[i])), most_levels));
      }
    }
  }
  std::vector<std::vector<std::string>> levels;
  for (const auto& set : found) levels.emplace_back(set.begin(), set.end());
  return levels;
}

void expand_levels(Columns& columns, const Table& table, const std::vector<Index>& positions,
                   const ReadOptions& options) {
  if (positions.empty()) return;
  const auto levels = levels_of(table, positions, options);
  Columns expanded = columns;
  expanded.features.clear();
  expanded.feature_indices.clear();
  expanded.levels.clear();
  for (std::size_t j = 0; j < columns.features.size(); ++j) {
    const Index position = columns.feature_indices[j];
    const auto category = std::find(positions.begin(), positions.end(), position);
    const bool is_category = category != positions.end();
    const std::vector<std::string> own =
        is_category ? levels[static_cast<std::size_t>(category - positions.begin())] : std::vector<std::string>{""};
    for (const std::string& level : own) {
      expanded.features.push_back(is_category ? fmt::format("{}={}", columns.features[j], level) : columns.features[j]);
      expanded.feature_indices.push_back(position);
      expanded.levels.push_back(level);
    }
  }
  columns = std::move(expanded);
}

std::string column_name(const Columns& columns, std::size_t feature) {
  const std::string& name = columns.features[feature];
  if (columns.levels.empty() || columns.levels[feature].empty()) return name;
  return name.substr(0, name.size() - columns.levels[feature].size() - 1);
}

void fail_unknown_level(const Table& table, const Row& row, Index position, const Columns& columns) {
  std::vector<std::string> known;
  for (std::size_t j = 0; j < columns.features.size(); ++j) {
    if (columns.feature_indices[j] == position) known.push_back(columns.levels[j]);
  }
  const std::string_view text = trim(row.cells[static_cast<std::size_t>(position)]);
  fail_at(table.path(), row, position,
          fmt::format("column {}: the model knows no level {}, only {}", excerpt(name_at(table, position)),
                      excerpt(text), list_names(known)),
          Remedy::average_unseen);
}

}  // namespace gpcv::csv
