/// Sums and updates of long columns in fixed pieces, shared among threads: the bits are the same for any number of
/// threads.
#pragma once

#include <algorithm>
#include <vector>

#include "core/threads.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

constexpr Index rows_of_piece = 4096;

/// Calls work(column, first row, rows) for every piece of every column. `operations` counts the arithmetic operations
/// per number.
template <class Work>
void for_pieces(Index rows, Index columns, int threads, const Work& work, double operations = 2) {
  const Index per_column = (rows + rows_of_piece - 1) / rows_of_piece, all = per_column * columns;
  threads = worthwhile_threads(threads, operations * static_cast<double>(rows) * static_cast<double>(columns));
#pragma omp parallel for num_threads(threads) schedule(static)
  for (Index i = 0; i < all; ++i) {
    const Index first = i % per_column * rows_of_piece;
    work(i / per_column, first, std::min(rows_of_piece, rows - first));
  }
}

/// The sum over the pieces of every column of work(column, first row, rows).
template <class Work>
Vector sum_pieces(Index rows, Index columns, int threads, const Work& work) {
  const Index per_column = (rows + rows_of_piece - 1) / rows_of_piece;
  Matrix part = Matrix::Zero(std::max<Index>(per_column, 1), columns);
  for_pieces(rows, columns, threads, [&](Index column, Index first, Index count) {
    part(first / rows_of_piece, column) = work(column, first, count);
  });
  Vector sum = Vector::Zero(columns);
  for (Index c = 0; c < columns; ++c) {
    for (Index i = 0; i < part.rows(); ++i) sum(c) += part(i, c);
  }
  return sum;
}

}  // namespace gpcv
