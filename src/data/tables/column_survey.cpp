#include "data/tables/column_survey.hpp"

#include <algorithm>
#include <cmath>

#include "data/tables/cell.hpp"
#include "data/tables/iso_date.hpp"
#include "data/tables/notation.hpp"

namespace gpcv::csv {
namespace {

/// Counts of the cells of a column by what they can mean.
struct Evidence {
  Index cells = 0, days = 0, points = 0, commas = 0;
  Index differ = 0;        ///< cells with a comma that are different numbers with either mark
  Index changed = 0;       ///< cells that are different numbers with either mark
  Index bare = 0;          ///< whole numbers below 1000 without a mark
  bool long_bare = false;  ///< a number of four digits or more has no mark between its groups
};

void add_cell(std::string_view text, Evidence& evidence) {
  ++evidence.cells;
  const Cell plain = parse_cell(text);
  if (plain.kind == CellKind::number && parse_compact_date(plain.value)) ++evidence.days;
  const auto point = parse_written(text, Decimal::point), comma = parse_written(text, Decimal::comma);
  evidence.points += point.has_value();
  evidence.commas += comma.has_value();
  if (!point || !comma) return;
  const bool differs = point->value != comma->value;
  evidence.changed += differs;
  evidence.differ += differs && point->comma;
  const bool marked = point->grouped || point->fraction || comma->fraction || comma->grouped;
  if (marked) return;
  const double size = std::abs(point->value);
  evidence.bare += size < 1000;
  evidence.long_bare = evidence.long_bare || size >= 1000;
}

/// Whether commas between three digits group them. A table that writes three decimals always, or the decimals that
/// differ from 0, would hardly leave the comma out of one number and have three digits behind it in the others.
bool are_groups(const Evidence& evidence) {
  constexpr Index enough = 3;
  return evidence.differ >= enough && evidence.bare > 0 && !evidence.long_bare;
}

ColumnSurvey conclusion(const Evidence& evidence) {
  ColumnSurvey found;
  found.compact_dates = evidence.cells > 0 && evidence.days == evidence.cells;
  const bool points = evidence.points == evidence.cells, commas = evidence.commas == evidence.cells;
  found.decided = points != commas;
  found.either = points && commas && evidence.changed > 0;
  found.points_only = found.either && evidence.differ == 0;
  if (points && (!commas || evidence.differ == 0 || are_groups(evidence))) {
    found.decimal = Decimal::point;
  } else if (points && commas) {
    found.ambiguous = true;
  } else if (commas) {
    found.decimal = Decimal::comma;
    found.changes_plain = evidence.changed > evidence.differ;
  }
  return found;
}

}  // namespace

const ColumnSurvey& Surveys::of(Index position, const Table& table) {
  if (found_.empty()) {
    std::vector<Evidence> evidence(positions_.size());
    Table again = table.again();
    for (Row row; again.next(row);) {
      for (std::size_t i = 0; i < positions_.size(); ++i) {
        const std::string_view text = trim(row.cells[static_cast<std::size_t>(positions_[i])]);
        if (!is_missing(text, missing_texts_)) add_cell(text, evidence[i]);
      }
    }
    for (std::size_t i = 0; i < positions_.size(); ++i) found_[positions_[i]] = conclusion(evidence[i]);
  }
  return found_[position];
}

bool Surveys::contradict(Decimal mark) const {
  return std::any_of(found_.begin(), found_.end(),
                     [&](const auto& column) { return column.second.decided && column.second.decimal != mark; });
}

bool Surveys::doubt(Index position) const {
  const auto column = found_.find(position);
  return column != found_.end() && column->second.points_only && contradict(Decimal::point);
}

bool Surveys::doubt_plain_columns() {
  if (doubted_) return false;
  doubted_ = std::any_of(positions_.begin(), positions_.end(), [&](Index position) { return doubt(position); });
  return doubted_;
}

}  // namespace gpcv::csv
