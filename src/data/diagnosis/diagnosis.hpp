/// The parts of a diagnosis. Each part appends its findings to the list.
#pragma once

#include <string>
#include <vector>

#include "gpcv/diagnosis.hpp"

namespace gpcv {

/// An input or the target, with the statistics that all parts need.
struct DiagnosedColumn {
  std::string name;
  Eigen::Map<const Vector> values;
  bool is_target = false;
  bool unnamed = false;  ///< the header has no name for it
  Index category = -1;   ///< for an indicator, the position of its column in the table
  double least = 0, most = 0;
  double mean = 0, deviation = 0;

  bool constant() const { return least == most; }
};

/// The inputs in their order, then the target.
std::vector<DiagnosedColumn> diagnosed_columns(const Dataset& data);

/// Whether the values only count the rows: a column of different whole numbers that has the name of an identifier, or
/// no name and the values 0, 1, 2, … or 1, 2, 3, …, as pandas and R write the index of a table.
bool counts_rows(const DiagnosedColumn& column);

/// The names after the word "column" or "columns": "columns 'a', 'b'".
std::string named(const std::vector<std::string>& names);

/// Reports constant columns, columns whose variation is small relative to their mean or whose magnitude spans too many
/// orders, long tails, outliers, and a target with few distinct values.
void diagnose_columns(const std::vector<DiagnosedColumn>& columns, const Reading& reading, std::vector<Finding>& out);

/// Reports columns that identify rows, and days that are read as plain numbers.
void diagnose_meaning(const std::vector<DiagnosedColumn>& columns, std::vector<Finding>& out);

/// Reports categories with many levels.
void diagnose_levels(const Columns& columns, Index rows, std::vector<Finding>& out);

/// Reports columns that are linear functions a + b·x of another column.
void diagnose_relations(const std::vector<DiagnosedColumn>& columns, std::vector<Finding>& out);

/// Reports rows with equal inputs, with and without equal targets.
void diagnose_rows(const std::vector<DiagnosedColumn>& columns, std::vector<Finding>& out);

/// Reports signs that the rows are in time order.
void diagnose_order(const std::vector<DiagnosedColumn>& columns, const Reading& reading, std::vector<Finding>& out);

}  // namespace gpcv
