// One sweep of a leaf over a tile: metric, profile, combination with the tile and, for one right-hand side, the product
// itself, so that the last leaf of a program is never stored.

#if defined(GPCV_SIMD_LEAF_VALUE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GPCV_SIMD_LEAF_VALUE_INL_H_
#undef GPCV_SIMD_LEAF_VALUE_INL_H_
#else
#define GPCV_SIMD_LEAF_VALUE_INL_H_
#endif

#include <hwy/highway.h>

#include "backends/simd/tiles/leaf_metric-inl.h"
#include "backends/simd/tiles/leaf_profile-inl.h"
#include "backends/simd/tiles/tile_product-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gpcv::simd {
namespace HWY_NAMESPACE {

/// A tile in memory: row r starts at data + r·stride.
template <class T>
struct TileView {
  T* data = nullptr;
  std::size_t stride = 0;
};

/// k ∘= tile
template <class D, class V>
HWY_INLINE void combine_with(D d, Combine how, const TileView<hn::TFromD<D>>& tile, std::size_t r, std::size_t j,
                             PairBlock<V>& k) {
  const std::size_t lanes = hn::Lanes(d);
  if (how == Combine::set) return;
#pragma GCC unroll 4
  for (std::size_t a = 0; a < kRows; ++a) {
#pragma GCC unroll 2
    for (std::size_t b = 0; b < kVectors; ++b) {
      const V old = hn::LoadU(d, tile.data + (r + a) * tile.stride + j + b * lanes);
      k.at[a][b] = how == Combine::add ? hn::Add(old, k.at[a][b]) : hn::Mul(old, k.at[a][b]);
    }
  }
}

template <class D, class V>
HWY_INLINE void store_block(D d, const TileView<hn::TFromD<D>>& tile, std::size_t r, std::size_t j,
                            const PairBlock<V>& k) {
  const std::size_t lanes = hn::Lanes(d);
#pragma GCC unroll 4
  for (std::size_t a = 0; a < kRows; ++a) {
#pragma GCC unroll 2
    for (std::size_t b = 0; b < kVectors; ++b) {
      hn::StoreU(k.at[a][b], d, tile.data + (r + a) * tile.stride + j + b * lanes);
    }
  }
}

/// kColumns: 1, or 0 for a number known only at run time.
template <Metric kMetric, Profile kProfile, std::size_t kColumns, bool kProduct, class D>
HWY_NOINLINE void value_sweep(D d, const Leaf<hn::TFromD<D>>& leaf, const Region& g, Combine how,
                              TileView<hn::TFromD<D>> tile, const ProductTarget<hn::TFromD<D>>& p) {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t columns = kColumns == 0 ? leaf.columns : kColumns;
  const LeafProfile<kProfile, D> profile(d, leaf);
  for (std::size_t r = 0; r < g.rows; r += kRows) {
    V row_sum[kRows] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    for (std::size_t j = 0; j < g.cols; j += kVectors * lanes) {
      PairBlock<V> k;
      metric_block<kMetric>(d, leaf, g.row + r, g.col + j, 0, columns, k);
      profile.replace_by_values(d, k);
      combine_with(d, how, tile, r, j, k);
      if constexpr (kProduct) {
        const V v0 = hn::LoadU(d, p.col_v + j), v1 = hn::LoadU(d, p.col_v + j + lanes);
#pragma GCC unroll 4
        for (std::size_t a = 0; a < kRows; ++a) {
          row_sum[a] = hn::MulAdd(k.at[a][0], v0, hn::MulAdd(k.at[a][1], v1, row_sum[a]));
        }
        if (p.col_y != nullptr) {
          T* y = p.col_y + j;
          V y0 = hn::LoadU(d, y), y1 = hn::LoadU(d, y + lanes);
#pragma GCC unroll 4
          for (std::size_t a = 0; a < kRows; ++a) {
            const V va = hn::Set(d, p.row_v[r + a]);
            y0 = hn::MulAdd(k.at[a][0], va, y0);
            y1 = hn::MulAdd(k.at[a][1], va, y1);
          }
          hn::StoreU(y0, d, y);
          hn::StoreU(y1, d, y + lanes);
        }
      } else {
        store_block(d, tile, r, j, k);
      }
    }
    if constexpr (kProduct) add_lane_sums(d, row_sum, p.row_y + r);
  }
}

/// Computes the value, slope and shape tiles of a leaf for its derivatives.
template <Metric kMetric, Profile kProfile, std::size_t kColumns, class D>
HWY_NOINLINE void slope_sweep(D d, const Leaf<hn::TFromD<D>>& leaf, const Region& g, TileView<hn::TFromD<D>> value,
                              TileView<hn::TFromD<D>> slope, TileView<hn::TFromD<D>> shape) {
  using V = hn::Vec<D>;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t columns = kColumns == 0 ? leaf.columns : kColumns;
  const LeafProfile<kProfile, D> profile(d, leaf);
  for (std::size_t r = 0; r < g.rows; r += kRows) {
    for (std::size_t j = 0; j < g.cols; j += kVectors * lanes) {
      PairBlock<V> k, s, h;
      metric_block<kMetric>(d, leaf, g.row + r, g.col + j, 0, columns, k);
#pragma GCC unroll 4
      for (std::size_t a = 0; a < kRows; ++a) {
#pragma GCC unroll 2
        for (std::size_t b = 0; b < kVectors; ++b) {
          k.at[a][b] = profile.value_and_slopes(d, k.at[a][b], s.at[a][b], h.at[a][b]);
        }
      }
      store_block(d, value, r, j, k);
      store_block(d, slope, r, j, s);
      if constexpr (kProfile == Profile::rational) store_block(d, shape, r, j, h);
    }
  }
}

/// Calls f.template operator()<metric, profile, columns>() for the given leaf; columns is 1 or 0 (any number).
template <class Function>
HWY_INLINE void with_leaf_type(Metric metric, Profile profile, std::size_t columns, const Function& f) {
  using M = Metric;
  using P = Profile;
  const bool one = columns == 1;
  switch (profile) {
    case P::exponential:
      if (metric == M::distance) {
        return one ? f.template operator()<M::distance, P::exponential, 1>()
                   : f.template operator()<M::distance, P::exponential, 0>();
      }
      if (metric == M::distance_sine) {
        return one ? f.template operator()<M::distance_sine, P::exponential, 1>()
                   : f.template operator()<M::distance_sine, P::exponential, 0>();
      }
      return f.template operator()<M::sine, P::exponential, 0>();
    case P::matern12:
      return f.template operator()<M::distance, P::matern12, 0>();
    case P::matern32:
      return f.template operator()<M::distance, P::matern32, 0>();
    case P::matern52:
      return f.template operator()<M::distance, P::matern52, 0>();
    case P::rational:
      return f.template operator()<M::distance, P::rational, 0>();
    case P::scaled:
      return f.template operator()<M::dot, P::scaled, 0>();
    case P::constant:
      return f.template operator()<M::none, P::constant, 0>();
  }
}

/// tile ∘= leaf
template <class D, class T>
void evaluate_leaf(D, const Leaf<T>& leaf, const Region& g, Combine how, TileView<T> tile) {
  const auto sweep = [&]<Metric kMetric, Profile kProfile, std::size_t kColumns>() {
    value_sweep<kMetric, kProfile, kColumns, false>(D(), leaf, g, how, tile, ProductTarget<T>());
  };
  with_leaf_type(leaf.metric, leaf.profile, leaf.columns, sweep);
}

/// Computes the product of tile ∘ leaf with one column.
template <class D, class T>
void multiply_leaf(D, const Leaf<T>& leaf, const Region& g, Combine how, TileView<T> tile, const ProductTarget<T>& p) {
  const auto sweep = [&]<Metric kMetric, Profile kProfile, std::size_t kColumns>() {
    value_sweep<kMetric, kProfile, kColumns, true>(D(), leaf, g, how, tile, p);
  };
  with_leaf_type(leaf.metric, leaf.profile, leaf.columns, sweep);
}

/// Computes the value, slope and shape tiles of a leaf that has a slope.
template <class D, class T>
void evaluate_slopes(D, const Leaf<T>& leaf, const Region& g, TileView<T> value, TileView<T> slope, TileView<T> shape) {
  const auto sweep = [&]<Metric kMetric, Profile kProfile, std::size_t kColumns>() {
    if constexpr (kMetric == Metric::distance && kProfile != Profile::exponential) {
      slope_sweep<kMetric, kProfile, kColumns>(D(), leaf, g, value, slope, shape);
    }
  };
  with_leaf_type(leaf.metric, leaf.profile, leaf.columns, sweep);
}

}  // namespace HWY_NAMESPACE
}  // namespace gpcv::simd
HWY_AFTER_NAMESPACE();

#endif
