/// Cells of similar rows, in which variances share one set of neighbours.
#pragma once

#include <vector>

#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// A tree that halves the training rows along the column in which the function varies most. It depends on the training
/// rows and the kernel alone, so that the cell of a point depends on no other point.
class RowCells {
 public:
  /// Cells of at most `rows_per_cell` rows, or more where rows are equal.   x: n × d, standardised
  RowCells(const KernelProgram& program, const Matrix& x, Index rows_per_cell);

  Index size() const { return static_cast<Index>(members_.size()); }
  /// Training rows of a cell, ascending.
  const std::vector<Index>& members(Index cell) const { return members_[static_cast<std::size_t>(cell)]; }
  /// Cell in which a row of `points` lies.
  Index cell_of(ConstView points, Index row) const;

 private:
  struct Node {
    Index column = -1;  ///< −1: a cell
    double threshold = 0;
    Index below = 0, above = 0;  ///< nodes; `below` is the cell if this is one
  };

  Index grow(const Matrix& x, const Vector& sensitivity, std::vector<Index> rows, Index rows_per_cell);

  std::vector<Node> nodes_;
  std::vector<std::vector<Index>> members_;
};

}  // namespace gpcv
