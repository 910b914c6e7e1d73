/// Findings about the text of a table and about the meaning of its columns.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "data/diagnosis/diagnosis.hpp"
#include "data/tables/iso_date.hpp"
#include "data/tables/location.hpp"
#include "data/tables/number_column.hpp"

namespace gpcv {
namespace {

/// Fewer rows tell nothing about a column.
constexpr Index least_rows = 3;

bool are_distinct_integers(const DiagnosedColumn& column) {
  std::vector<double> values(column.values.begin(), column.values.end());
  if (std::any_of(values.begin(), values.end(), [](double value) { return value != std::floor(value); })) return false;
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) == values.end();
}

/// Whether the values are k, k + 1, k + 2, … with k of 0 or 1, in the order of the rows.
bool are_counted(const DiagnosedColumn& column) {
  const double first = column.values.size() > 0 ? column.values(0) : -1;
  if (first != 0 && first != 1) return false;
  for (Index i = 0; i < column.values.size(); ++i) {
    if (column.values(i) != first + static_cast<double>(i)) return false;
  }
  return true;
}

bool are_compact_dates(const DiagnosedColumn& column) {
  return !column.constant() && std::all_of(column.values.begin(), column.values.end(),
                                           [](double value) { return csv::parse_compact_date(value).has_value(); });
}

}  // namespace

std::vector<Finding> findings_of_reading(const Reading& reading) {
  std::vector<Finding> findings;
  for (const ReadingNote& note : reading.notes) {
    findings.push_back({note.code == "comments" ? Severity::note : Severity::warning, note.code, note.text});
  }
  return findings;
}

bool counts_rows(const DiagnosedColumn& column) {
  if (column.is_target || column.category >= 0 || column.values.size() < least_rows) return false;
  return (csv::is_named_as_id(column.name) && are_distinct_integers(column)) || (column.unnamed && are_counted(column));
}

void diagnose_meaning(const std::vector<DiagnosedColumn>& columns, std::vector<Finding>& out) {
  for (const DiagnosedColumn& column : columns) {
    if (column.is_target || column.category >= 0 || column.values.size() < least_rows) continue;
    if (counts_rows(column)) {
      out.push_back({Severity::warning,
                     "id",
                     fmt::format("column {} has a different whole number in each row and {}", csv::excerpt(column.name),
                                 column.unnamed ? "no name in the header" : "the name of an identifier"),
                     Remedy::name_id_column,
                     {column.name}});
    }
    if (are_compact_dates(column)) {
      out.push_back({Severity::warning, "compact-dates",
                     fmt::format("column {} looks like days written as YYYYMMDD, but is read as plain numbers, whose "
                                 "steps are uneven: write YYYY-MM-DD",
                                 csv::excerpt(column.name))});
    }
  }
}

void diagnose_levels(const Columns& columns, Index rows, std::vector<Finding>& out) {
  constexpr Index many = 50;
  std::map<Index, std::pair<std::string, Index>> categories;  // by position: name and number of levels
  for (std::size_t j = 0; j < columns.levels.size(); ++j) {
    if (columns.levels[j].empty()) continue;
    const std::string& name = columns.features[j];
    auto& [own, count] = categories[columns.feature_indices[j]];
    own = name.substr(0, name.size() - columns.levels[j].size() - 1);
    ++count;
  }
  for (const auto& [position, category] : categories) {
    const auto& [name, levels] = category;
    if (levels <= many && 2 * levels <= rows) continue;
    out.push_back({Severity::warning,
                   "many-levels",
                   fmt::format("column {} has {} levels in {} rows, each an input of its own: group rare levels",
                               csv::excerpt(name), levels, rows),
                   Remedy::leave_columns_out,
                   {name}});
  }
}

}  // namespace gpcv
