/// Which blocks of K are computed when: rounds in which no two tasks write the same rows of the result.
#pragma once

#include <cstddef>
#include <vector>

#include "backends/simd/tile_kernels.hpp"

namespace gpcv::simd {

/// Blocks one thread does in this order.
using Task = std::vector<Block>;
/// Tasks of a round may run at the same time, in any order, on any thread.
using Round = std::vector<Task>;

/// Every number of the result is added up in the order of the rounds, whichever thread does a task: results
/// depend on the block size only, not on timing.
struct Schedule {
  std::vector<Round> rounds;
  std::size_t block_size = 0;
};

/// bytes_per_row: what a block keeps per row and per column point (right-hand sides and sums).
Schedule schedule_rectangle(std::size_t rows, std::size_t cols, std::size_t bytes_per_row, int threads);
Schedule schedule_symmetric(std::size_t n, std::size_t bytes_per_row, int threads);

}  // namespace gpcv::simd
