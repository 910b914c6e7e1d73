/// The part of the engine that stores K, for factorisations.
#include <algorithm>

#include "backends/cuda/engine/engine.hpp"

namespace gpcv::cuda {
namespace {

/// Column points of one block of threads: its row points are loaded once for so many columns.
constexpr std::size_t columns_of_block = 1024;

}  // namespace

template <class T>
void Engine<T>::entries(Address out, long long stride) {
  if (rows_ == 0 || cols_ == 0) return;
  const Ready& made = ready(Task::entries, 1, 0, 0);
  const auto rows_of_block = static_cast<std::size_t>(threads_per_block * made.specification.rows);
  Grid grid;
  grid.row_blocks = static_cast<unsigned>((rows_ + rows_of_block - 1) / rows_of_block);
  grid.splits = static_cast<unsigned>((cols_ + columns_of_block - 1) / columns_of_block);
  grid.chunk = static_cast<int>(columns_of_block);
  LaunchArguments a = arguments(grid, made.specification);
  a.out = out;
  a.out_stride = stride;
  a.cols = static_cast<int>(cols_);
  launch(*made.kernel, grid, a);
}

template void Engine<float>::entries(Address out, long long stride);
template void Engine<double>::entries(Address out, long long stride);

}  // namespace gpcv::cuda
