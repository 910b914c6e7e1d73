/// The part of the engine that factorises: the variance of test points that their neighbours explain.
#include <algorithm>

#include "backends/cuda/engine/engine.hpp"
#include "backends/cuda/engine/passes.hpp"

namespace gpcv::cuda {
namespace {

/// The side of the tiles of a small factorisation, and the most memory that all concurrent ones may use.
constexpr std::size_t factor_tile = 64, factor_bytes = std::size_t{5} << 28;

}  // namespace

template <class T>
Vector Engine<T>::explained(Index neighbours, const Vector& scale, double noise) {
  Vector out = Vector::Zero(static_cast<Index>(rows_));
  if (rows_ == 0 || neighbours == 0) return out;
  const auto held = device_.lock();
  const Ready& choosing = ready(Task::choose, 1, 0, 0);
  const Ready& solving = ready(Task::neighbours, 1, 0, 0);
  // A factorisation stores the lower triangle in tiles, and the solution.
  const auto size = static_cast<std::size_t>(neighbours);
  const std::size_t sides = (size + factor_tile - 1) / factor_tile;
  const std::size_t numbers = sides * (sides + 1) / 2 * factor_tile * factor_tile + sides * factor_tile;
  const std::size_t fit = std::max<std::size_t>(1, factor_bytes / (numbers * sizeof(double)));
  // Every multiprocessor gets the same number of factorisations.
  const auto multiprocessors = static_cast<std::size_t>(std::max(1, device_.description().multiprocessors));
  const std::size_t on_each = std::clamp<std::size_t>(
      fit / multiprocessors, 1, static_cast<std::size_t>(std::max(1, solving.kernel->blocks_per_multiprocessor)));
  const std::size_t at_once = std::min(fit, multiprocessors * on_each);
  with_columns(balanced(out.size(), static_cast<int>(at_once)), [&](int points) {
    const Finished finished(device_);
    const auto block = static_cast<std::size_t>(points);
    const Buffer scratch = device_.allocate(block * numbers * sizeof(double));
    const Buffer chosen = device_.allocate(block * size * sizeof(int));
    const Buffer cross = device_.allocate(block * size * sizeof(double));
    const Buffer scales = device_.allocate(cols_ * sizeof(double));
    const Buffer result = device_.allocate(rows_ * sizeof(double));
    device_.upload(scales, scale.data(), cols_ * sizeof(double));
    for (Index first = 0; first < out.size(); first += points) {
      const auto from = static_cast<std::size_t>(first);
      Grid grid;
      grid.row_blocks = static_cast<unsigned>(std::min<Index>(points, out.size() - first));
      LaunchArguments a = arguments(grid, choosing.specification);
      a.row_x += from * sizeof(T);
      a.u = scales.address();
      a.v = chosen.address();
      a.out = cross.address();
      a.cols = static_cast<int>(cols_);
      a.chunk = static_cast<int>(size);
      a.split_stride = static_cast<long long>(numbers);
      a.scratch = cols_ <= numbers ? scratch.address() : 0;
      launch(*choosing.kernel, grid, a);
      // From here on both points of a pair are column points.
      a.row_x = a.col_x;
      a.row_stride = a.col_stride;
      a.u = cross.address();
      a.out = result.address() + from * sizeof(double);
      a.scratch = scratch.address();
      a.noise = noise;
      a.cols = a.chunk;
      launch(*solving.kernel, grid, a);
    }
    device_.download(out.data(), result, rows_ * sizeof(double));
    device_.synchronize();
  });
  return out;
}

template Vector Engine<float>::explained(Index neighbours, const Vector& scale, double noise);
template Vector Engine<double>::explained(Index neighbours, const Vector& scale, double noise);

}  // namespace gpcv::cuda
