// The division of blocks into tiles, and the execution of the plans on each tile.

#if defined(GPCV_SIMD_TILE_KERNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GPCV_SIMD_TILE_KERNELS_INL_H_
#undef GPCV_SIMD_TILE_KERNELS_INL_H_
#else
#define GPCV_SIMD_TILE_KERNELS_INL_H_
#endif

#include <hwy/highway.h>

#include "backends/simd/tiles/leaf_gradient-inl.h"
#include "backends/simd/tiles/leaf_value-inl.h"
#include "backends/simd/tiles/tile_product-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gpcv::simd {
namespace HWY_NAMESPACE {

/// The rows of a tile off the diagonal: enough for the mirrored product to reuse its sums, few enough for wide tiles.
constexpr std::size_t kTileRows = 16;
/// The side of the squares on the diagonal that are evaluated in full: at least two vectors of floats.
constexpr std::size_t kCornerRows = 32;

HWY_INLINE std::size_t rounded_up(std::size_t n, std::size_t step) { return (n + step - 1) / step * step; }

/// Calls f(region, mirrored) for tiles of at most `size` numbers that cover the block.
template <class D, class Function>
HWY_INLINE void for_each_tile(D d, const Block& block, std::size_t size, const Function& f) {
  const std::size_t step = kVectors * hn::Lanes(d);
  const bool diagonal = block.part == Block::Part::diagonal;
  const std::size_t tile_rows = diagonal ? kCornerRows : kTileRows;
  const std::size_t tile_cols = size / tile_rows / 64 * 64;
  const std::size_t row_end = block.row + block.rows, col_end = block.col + block.cols;
  for (std::size_t row = block.row; row < row_end; row += tile_rows) {
    const std::size_t rows = rounded_up(HWY_MIN(tile_rows, row_end - row), kRows);
    std::size_t col = block.col;
    if (diagonal) {
      f(Region{row, rows, row, rounded_up(HWY_MIN(tile_rows, row_end - row), step)}, false);
      col = row + tile_rows;
    }
    for (; col < col_end; col += tile_cols) {
      const std::size_t cols = rounded_up(HWY_MIN(tile_cols, col_end - col), step);
      f(Region{row, rows, col, cols}, block.part != Block::Part::rectangle);
    }
  }
}

template <class T>
HWY_INLINE ProductTarget<T> product_target(const Columns<T>& row_v, const Columns<T>& col_v, const Block& block,
                                           const Region& g, bool mirrored, const Workspace<T>& work,
                                           std::size_t first_column) {
  ProductTarget<T> p;
  p.col_v = col_v.data + g.col;
  p.col_v_stride = col_v.stride;
  p.row_y = work.row_sums + first_column * work.sum_stride + (g.row - block.row);
  p.y_stride = work.sum_stride;
  p.count = col_v.count;
  p.zero_rows = block.zero_rows;
  p.zero_cols = block.zero_cols;
  p.unwanted = block.unwanted;
  if (mirrored) {
    p.row_v = row_v.data + g.row;
    p.row_v_stride = row_v.stride;
    p.col_y = work.col_sums + first_column * work.sum_stride + (g.col - block.col);
  }
  return p;
}

/// Executes steps [0, count) of a value plan.
template <class D, class T>
HWY_INLINE void run_value_steps(D d, const ApplyJob<T>& job, std::size_t count, const Region& g,
                                const Workspace<T>& work) {
  const auto tile = [&](int i) {
    return TileView<T>{work.tiles + static_cast<std::size_t>(i) * work.tile_size, g.cols};
  };
  for (std::size_t s = 0; s < count; ++s) {
    const ValueStep& step = job.steps[s];
    T* out = tile(step.tile).data;
    if (step.leaf >= 0) {
      evaluate_leaf(d, job.leaves[step.leaf], g, step.how, tile(step.tile));
    } else if (step.how == Combine::set) {
      copy_tile(d, g, g.cols, tile(step.other).data, out);
    } else {
      combine_tiles(d, g, g.cols, step.how, out, tile(step.other).data, out);
    }
  }
}

template <class T>
void apply_block_on_target(const ApplyJob<T>& job, const Block& block, const Workspace<T>& work) {
  const hn::ScalableTag<T> d;
  const ValueStep& last = job.steps[job.step_count - 1];
  const bool fused = job.fused && job.col_v.count == 1 && last.leaf >= 0;
  // A single fused leaf needs no tile.
  const std::size_t size = fused && job.step_count == 1 ? kCornerRows * rounded_up(block.cols, 64) : work.tile_size;
  for_each_tile(d, block, size, [&](const Region& g, bool mirrored) HWY_ATTR {
    const ProductTarget<T> p = product_target(job.row_v, job.col_v, block, g, mirrored, work, 0);
    const TileView<T> tile{work.tiles, g.cols};
    run_value_steps(d, job, fused ? job.step_count - 1 : job.step_count, g, work);
    if (fused) {
      multiply_leaf(d, job.leaves[last.leaf], g, last.how, tile, p);
    } else {
      multiply_tile(d, work.tiles, g.cols, g.rows, g.cols, p);
    }
  });
}

template <class T>
void copy_block_on_target(const ApplyJob<T>& job, const Block& block, const Workspace<T>& work, T* out,
                          std::size_t out_stride) {
  const hn::ScalableTag<T> d;
  for_each_tile(d, block, work.tile_size, [&](const Region& g, bool) HWY_ATTR {
    run_value_steps(d, job, job.step_count, g, work);
    const std::size_t rows = HWY_MIN(g.rows, block.row + block.rows - g.row);
    const std::size_t cols = HWY_MIN(g.cols, block.col + block.cols - g.col);
    for (std::size_t r = 0; r < rows; ++r) {
      T* to = out + (g.row - block.row + r) * out_stride + (g.col - block.col);
      for (std::size_t j = 0; j < cols; ++j) to[j] = work.tiles[r * g.cols + j];
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace gpcv::simd
HWY_AFTER_NAMESPACE();

#endif
