/// The parts of a diagnosis. Each adds its findings to the list.
#pragma once

#include <string>
#include <vector>

#include "gpcv/diagnosis.hpp"

namespace gpcv {

/// One input, or the target, and what all parts need to know about it.
struct DiagnosedColumn {
  std::string name;
  Eigen::Map<const Vector> values;
  bool is_target = false;
  Index category = -1;  ///< of an indicator, the column of the table whose level it tells
  double least = 0, most = 0;
  double mean = 0, deviation = 0;

  bool constant() const { return least == most; }
};

/// Inputs in their order, then the target.
std::vector<DiagnosedColumn> diagnosed_columns(const Dataset& data);

/// " 'a', 'b'" with "column" or "columns" before them.
std::string named(const std::vector<std::string>& names);

/// Constant columns, columns that hardly vary beside their size or span too many orders of magnitude, long tails,
/// outliers; a target of few values.
void diagnose_columns(const std::vector<DiagnosedColumn>& columns, const Reading& reading, std::vector<Finding>& out);

/// Columns that are a + b times another.
void diagnose_relations(const std::vector<DiagnosedColumn>& columns, std::vector<Finding>& out);

/// Rows with equal inputs, with and without equal targets.
void diagnose_rows(const std::vector<DiagnosedColumn>& columns, std::vector<Finding>& out);

/// Signs that the rows stand in the order of time.
void diagnose_order(const std::vector<DiagnosedColumn>& columns, const Reading& reading, std::vector<Finding>& out);

}  // namespace gpcv
