/// The order in which the blocks of K are computed: rounds in which no two tasks write the same rows of the result.
#pragma once

#include <cstddef>
#include <vector>

#include "backends/simd/tiles/tile_kernels.hpp"

namespace gpcv::simd {

/// The blocks that one thread computes, in this order.
using Task = std::vector<Block>;
/// The tasks of a round, which may run concurrently, in any order, on any thread.
using Round = std::vector<Task>;

/// The rounds of a product. Sums over blocks are exact (core/exact_sum.hpp), so that results depend only on the block
/// size, and neither on timing nor on the thread or process that runs a task.
struct Schedule {
  std::vector<Round> rounds;
  std::size_t block_size = 0;
};

/// bytes_per_row: the bytes of a block per row point and per column point (right-hand sides and sums).
Schedule schedule_rectangle(std::size_t rows, std::size_t cols, std::size_t bytes_per_row, int threads);
Schedule schedule_symmetric(std::size_t n, std::size_t bytes_per_row, int threads);

/// The part of rank `rank` of `size`: consecutive blocks, with about as many pairs as those of any other rank.
Schedule part_of(const Schedule& schedule, int rank, int size);
/// A phase of a schedule: the sums of rows [begin, end) are complete once its blocks and those of the earlier phases
/// are done.
struct Phase {
  std::size_t begin = 0, end = 0;
  Schedule schedule;
};
/// The same blocks in an order that completes some rows early, so that their sums can be communicated while the others
/// are computed. The number of phases and their rows do not depend on the blocks.
std::vector<Phase> in_phases(const Schedule& schedule, std::size_t rows);
/// The same blocks, each as a task of its own, all in one round: for tasks that write to disjoint memory.
Schedule without_rounds(const Schedule& schedule);

}  // namespace gpcv::simd
