/// A whole column of a table, examined before its cells are given a meaning.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "data/tables/table.hpp"

namespace gpcv::csv {

/// What the cells of a column have in common. Missing cells do not count.
struct ColumnSurvey {
  /// The decimal mark with which every cell is a number; `automatic` when there is none, or when two are possible.
  Decimal decimal = Decimal::automatic;
  bool decided = false;        ///< every cell is a number with `decimal`, and some cell is none with the other mark
  bool either = false;         ///< every cell is a number with both marks, and some cells are different numbers
  bool ambiguous = false;      ///< both marks are possible and give different numbers
  bool points_only = false;    ///< no cell has a comma, and some number with a point is another with a decimal comma
  bool changes_plain = false;  ///< some cell is a number with a point, and another number with the mark that was found
  bool compact_dates = false;  ///< every cell is a day written as YYYYMMDD
};

/// The surveys of some columns of a table. All are examined in one pass when the first is asked for.
class Surveys {
 public:
  Surveys(std::vector<Index> positions, std::vector<std::string> missing_texts)
      : positions_(std::move(positions)), missing_texts_(std::move(missing_texts)) {}

  /// The survey of one of the columns. The first call reads the table from its beginning, which must be possible.
  const ColumnSurvey& of(Index position, const Table& table);
  /// Whether some column that was surveyed permits the other mark only.
  bool contradict(Decimal mark) const;
  /// Whether another column has decimal commas, so that points of this one may group thousands.
  bool doubt(Index position) const;
  /// Whether columns that seemed plain have to be read again, because their points are in doubt. True once.
  bool doubt_plain_columns();

 private:
  std::vector<Index> positions_;
  std::vector<std::string> missing_texts_;
  std::unordered_map<Index, ColumnSurvey> found_;
  bool doubted_ = false;
};

}  // namespace gpcv::csv
