/// Which blocks of K are computed when: rounds in which no two tasks write the same rows of the result.
#pragma once

#include <cstddef>
#include <vector>

#include "backends/simd/tiles/tile_kernels.hpp"

namespace gpcv::simd {

/// Blocks one thread does in this order.
using Task = std::vector<Block>;
/// Tasks of a round may run at the same time, in any order, on any thread.
using Round = std::vector<Task>;

/// Sums over blocks are exact (core/exact_sum.hpp): results depend on the block size only, not on timing nor on which
/// thread or process does a task.
struct Schedule {
  std::vector<Round> rounds;
  std::size_t block_size = 0;
};

/// bytes_per_row: what a block keeps per row and per column point (right-hand sides and sums).
Schedule schedule_rectangle(std::size_t rows, std::size_t cols, std::size_t bytes_per_row, int threads);
Schedule schedule_symmetric(std::size_t n, std::size_t bytes_per_row, int threads);

/// What rank r of `size` does of it: a stretch of the blocks in their order, as many pairs as any other rank's.
Schedule part_of(const Schedule& schedule, int rank, int size);
/// Rows [begin, end) whose sums are complete once the blocks of a phase, and those of the phases before it, are done.
struct Phase {
  std::size_t begin = 0, end = 0;
  Schedule schedule;
};
/// The same blocks in an order that completes some rows early, so that their sums can travel while the others are
/// computed. As many phases, with the same rows, whichever blocks these are.
std::vector<Phase> in_phases(const Schedule& schedule, std::size_t rows);
/// Every block a task of its own, all in one round: for tasks that write nothing in common.
Schedule without_rounds(const Schedule& schedule);

}  // namespace gpcv::simd
