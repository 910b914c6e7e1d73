/// Rows that lie far outside the training rows, where a prediction rests on the kernel alone.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gpcv/model.hpp"

namespace gpcv::command {

/// Counts far rows of a table, which may come in batches, and names the first ones.
class FarRows {
 public:
  /// Adds the training rows of a model to those that rows are compared with.
  void compare_with(const Model& model);
  /// Looks at rows of inputs; `table_row` gives the number in the table, from 0, of row i of these.
  void look_at(const Matrix& x, const std::function<Index(Index)>& table_row);
  /// Looks at the rows of a data set.
  void look_at(const Dataset& data);
  /// Warning in one line; empty where no row is far.
  std::string text() const;
  /// Prints the warning, if there is one, on standard error.
  void report() const;

 private:
  std::vector<std::string> names_;
  Vector least_, most_;
  Index count_ = 0, first_input_ = 0;
  std::vector<Index> first_rows_;
};

}  // namespace gpcv::command
