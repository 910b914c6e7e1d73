// The derivative pass over a block: forward sweep, adjoints, and the use of each leaf's derivatives.

#if defined(GPCV_SIMD_GRADIENT_KERNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GPCV_SIMD_GRADIENT_KERNELS_INL_H_
#undef GPCV_SIMD_GRADIENT_KERNELS_INL_H_
#else
#define GPCV_SIMD_GRADIENT_KERNELS_INL_H_
#endif

#include <hwy/highway.h>

#include "backends/simd/tiles/leaf_contract-inl.h"
#include "backends/simd/tiles/leaf_gradient-inl.h"
#include "backends/simd/tiles/tile_kernels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gpcv::simd {
namespace HWY_NAMESPACE {

/// The tiles of a gradient plan in one region.
template <class T>
struct GradientTiles {
  T* data;
  std::size_t size;
  std::size_t stride;
  int plan_tiles;

  T* at(int tile) const { return tile < 0 ? nullptr : data + static_cast<std::size_t>(tile) * size; }
  TileView<T> view(int tile) const { return {at(tile), stride}; }
  T* scratch(int i) const { return at(plan_tiles + i); }
};

template <class D, class T>
void run_gradient_step(D d, const GradientJob<T>& job, const GradientStep& step, const Region& g,
                       const GradientTiles<T>& tiles) {
  using Kind = GradientStep::Kind;
  T* out = tiles.at(step.tile);
  const T* left = tiles.at(step.left);
  switch (step.kind) {
    case Kind::leaf_value:
      if (step.slope < 0) return evaluate_leaf(d, job.leaves[step.leaf], g, Combine::set, tiles.view(step.tile));
      return evaluate_slopes(d, job.leaves[step.leaf], g, tiles.view(step.tile), tiles.view(step.slope),
                             tiles.view(step.shape));
    case Kind::combine:
      return combine_tiles(d, g, tiles.stride, step.how, left, tiles.at(step.right), out);
    case Kind::accumulate:
      if (left == nullptr) {
        fill_tile(d, g, tiles.stride, T(1), tiles.scratch(0));
        left = tiles.scratch(0);
      }
      if (step.how == Combine::set) return copy_tile(d, g, tiles.stride, left, out);
      return combine_tiles(d, g, tiles.stride, Combine::add, out, left, out);
    case Kind::leaf_gradient:
      return;
  }
}

/// Calls emit(θ index, tile) with adjoint ∘ ∂k/∂log θ for every parameter of one leaf.
template <class D, class T, class Emit>
void emit_derivatives(D d, const Leaf<T>& leaf, const GradientStep& step, const Region& g,
                      const GradientTiles<T>& tiles, const Emit& emit) {
  const std::size_t stride = tiles.stride;
  const T* adjoint = tiles.at(step.left);
  T* derivative = tiles.scratch(1);
  // weighted(tile) = adjoint ∘ tile, which is the tile itself if the adjoint is 1.
  const auto weighted = [&](const T* tile) -> const T* {
    if (adjoint == nullptr) return tile;
    combine_tiles(d, g, stride, Combine::multiply, adjoint, tile, tiles.scratch(0));
    return tiles.scratch(0);
  };

  const T* value = weighted(tiles.at(step.tile));
  // ∂k/∂log s2 = k
  if (leaf.variance_theta >= 0) emit(leaf.variance_theta, value);
  if (leaf.period_theta >= 0) {
    period_derivative(d, leaf, g, stride, value, derivative);
    emit(leaf.period_theta, derivative);
  }
  if (leaf.group_count > 0) {
    const T* weight = value;
    if (leaf.profile == Profile::scaled) weight = adjoint;
    if (step.slope >= 0) weight = weighted(tiles.at(step.slope));
    for (std::size_t i = 0; i < leaf.group_count; ++i) {
      length_derivative(d, leaf, leaf.groups[i], g, stride, weight, derivative);
      emit(leaf.groups[i].theta, derivative);
    }
  }
  if (leaf.shape_theta >= 0) emit(leaf.shape_theta, weighted(tiles.at(step.shape)));
}

template <class T>
void derivative_block_on_target(const GradientJob<T>& job, const Block& block, const Workspace<T>& work) {
  const hn::ScalableTag<T> d;
  for_each_tile(d, block, work.tile_size, [&](const Region& g, bool mirrored) HWY_ATTR {
    const GradientTiles<T> tiles{work.tiles, work.tile_size, g.cols, job.plan_tiles};
    const auto emit = [&](int theta, const T* tile) HWY_ATTR {
      const std::size_t first = static_cast<std::size_t>(theta) * job.col_v.count;
      multiply_tile(d, tile, g.cols, g.rows, g.cols,
                    product_target(job.row_v, job.col_v, block, g, mirrored, work, first));
    };
    for (std::size_t s = 0; s < job.step_count; ++s) {
      const GradientStep& step = job.steps[s];
      if (step.kind == GradientStep::Kind::leaf_gradient) {
        emit_derivatives(d, job.leaves[step.leaf], step, g, tiles, emit);
      } else {
        run_gradient_step(d, job, step, g, tiles);
      }
    }
  });
}

/// seed(r, j) = Σ_c u_rc v_jc, plus Σ_c v_rc u_jc if the tile also represents its transpose.
template <class D, class T>
HWY_NOINLINE void seed_from_columns(D d, const GradientJob<T>& job, const Region& g, bool mirrored, T* seed) {
  using V = hn::Vec<D>;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t r = 0; r < g.rows; r += kRows) {
    for (std::size_t j = 0; j < g.cols; j += kVectors * lanes) {
      PairBlock<V> sum;
#pragma GCC unroll 4
      for (std::size_t a = 0; a < kRows; ++a) sum.at[a][0] = sum.at[a][1] = hn::Zero(d);
      const auto add_product = [&](const Columns<T>& row, const Columns<T>& col) HWY_ATTR {
        for (std::size_t c = 0; c < col.count; ++c) {
          const T* at_rows = row.data + c * row.stride + g.row + r;
          const T* at_cols = col.data + c * col.stride + g.col + j;
          const V c0 = hn::LoadU(d, at_cols), c1 = hn::LoadU(d, at_cols + lanes);
#pragma GCC unroll 4
          for (std::size_t a = 0; a < kRows; ++a) {
            const V ra = hn::Set(d, at_rows[a]);
            sum.at[a][0] = hn::MulAdd(ra, c0, sum.at[a][0]);
            sum.at[a][1] = hn::MulAdd(ra, c1, sum.at[a][1]);
          }
        }
      };
      add_product(job.row_u, job.col_v);
      if (mirrored) add_product(job.row_v, job.col_u);
      store_block(d, TileView<T>{seed, g.cols}, r, j, sum);
    }
  }
}

/// seed(r, j) = W_rj, doubled if the tile also represents its transpose, 0 in the padding.
template <class T>
void seed_from_dense(const GradientJob<T>& job, const Region& g, bool mirrored, T* seed) {
  const std::size_t n = job.dense_size;
  const T factor = mirrored ? T(2) : T(1);
  for (std::size_t r = 0; r < g.rows; ++r) {
    const std::size_t i = g.row + r;
    for (std::size_t k = 0; k < g.cols; ++k) {
      const std::size_t j = g.col + k;
      T w = 0;
      if (i < n && j < n)
        w = static_cast<T>(j >= i ? job.dense[i * job.dense_stride + j] : job.dense[j * job.dense_stride + i]);
      seed[r * g.cols + k] = factor * w;
    }
  }
}

template <class T>
void contract_block_on_target(const GradientJob<T>& job, const Block& block, const Workspace<T>& work) {
  const hn::ScalableTag<T> d;
  for_each_tile(d, block, work.tile_size, [&](const Region& g, bool mirrored) HWY_ATTR {
    const GradientTiles<T> tiles{work.tiles, work.tile_size, g.cols, job.plan_tiles};
    if (job.dense != nullptr) {
      seed_from_dense(job, g, mirrored, tiles.at(job.seed));
    } else {
      seed_from_columns(d, job, g, mirrored, tiles.at(job.seed));
    }
    for (std::size_t s = 0; s < job.step_count; ++s) {
      const GradientStep& step = job.steps[s];
      if (step.kind == GradientStep::Kind::leaf_gradient) {
        contract_leaf(d, job.leaves[step.leaf], g, tiles.view(step.left), work.gradient);
      } else {
        run_gradient_step(d, job, step, g, tiles);
      }
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace gpcv::simd
HWY_AFTER_NAMESPACE();

#endif
