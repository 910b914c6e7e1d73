/// For every row the earlier rows that are most correlated with it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"
#include "solvers/preconditioner/row_share.hpp"

namespace gpcv {

/// Lists of earlier rows, at most `width` for each row, in ascending order.
struct EarlierNeighbours {
  Index width = 0;
  std::vector<std::int32_t> rows;   ///< n × width, row by row
  std::vector<std::int32_t> count;  ///< number of neighbours of each row

  std::int32_t at(Index row, Index k) const { return rows[static_cast<std::size_t>(row * width + k)]; }
};

/// The rows j < i of largest k(x_i, x_j)²/k_jj. All pairs are searched, which takes about as long as two products; the
/// ranks of the share divide the rows i. `stop` is asked in between; true ends the search with Interrupted.
EarlierNeighbours earlier_neighbours(const KernelProgram& program, const Matrix& x, Index width, const RowShare& share,
                                     int threads, const std::function<bool()>& stop = {});

}  // namespace gpcv
