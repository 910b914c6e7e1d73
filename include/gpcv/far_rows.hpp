/// Rows that lie far outside the training rows, where a prediction rests on the kernel alone.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gpcv/export.hpp"
#include "gpcv/model.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Counter of far rows of a table, which may come in batches. A row is far when one of its inputs lies outside the
/// range of the training rows by more than half of that range.
class GPCV_EXPORT FarRows {
 public:
  /// Adds the training rows of a model to those that rows are compared with.
  void compare_with(const Model& model);
  /// Looks at rows of inputs; `table_row` gives the number in the table, from 0, of row i of these.
  void look_at(ConstView x, const std::function<Index(Index)>& table_row);

  /// Number of far rows.
  Index count() const { return count_; }
  /// Numbers in the table of the first far rows, at most five of them.
  const std::vector<Index>& first_rows() const { return first_rows_; }
  /// Name of the input in which the first far row lies outside; empty when there is no far row.
  const std::string& first_input() const { return first_input_; }

 private:
  std::vector<std::string> names_;
  Vector least_, most_;
  Index count_ = 0;
  std::string first_input_;
  std::vector<Index> first_rows_;
};

}  // namespace gpcv
