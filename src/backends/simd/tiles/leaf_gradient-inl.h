// The derivatives of a leaf over a tile, each as a tile of its own, and elementwise operations on tiles.

#if defined(GPCV_SIMD_LEAF_GRADIENT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GPCV_SIMD_LEAF_GRADIENT_INL_H_
#undef GPCV_SIMD_LEAF_GRADIENT_INL_H_
#else
#define GPCV_SIMD_LEAF_GRADIENT_INL_H_
#endif

#include <hwy/highway.h>

#include "backends/simd/tiles/leaf_value-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gpcv::simd {
namespace HWY_NAMESPACE {

/// Calls f(r, j, offset) for every vector of a region's tile.
template <class D, class Function>
HWY_INLINE void for_each_vector(D d, const Region& g, std::size_t stride, const Function& f) {
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t r = 0; r < g.rows; ++r) {
    for (std::size_t j = 0; j < g.cols; j += lanes) f(r * stride + j);
  }
}

/// out = a ∘ b; out may be a or b.
template <class D, class T>
HWY_NOINLINE void combine_tiles(D d, const Region& g, std::size_t stride, Combine how, const T* a, const T* b, T* out) {
  if (how == Combine::add) {
    for_each_vector(d, g, stride, [&](std::size_t at) HWY_ATTR {
      hn::StoreU(hn::Add(hn::LoadU(d, a + at), hn::LoadU(d, b + at)), d, out + at);
    });
  } else {
    for_each_vector(d, g, stride, [&](std::size_t at) HWY_ATTR {
      hn::StoreU(hn::Mul(hn::LoadU(d, a + at), hn::LoadU(d, b + at)), d, out + at);
    });
  }
}

/// out = a
template <class D, class T>
HWY_NOINLINE void copy_tile(D d, const Region& g, std::size_t stride, const T* a, T* out) {
  for_each_vector(d, g, stride, [&](std::size_t at) HWY_ATTR { hn::StoreU(hn::LoadU(d, a + at), d, out + at); });
}

template <class D, class T>
HWY_NOINLINE void fill_tile(D d, const Region& g, std::size_t stride, T value, T* out) {
  for_each_vector(d, g, stride, [&](std::size_t at) HWY_ATTR { hn::StoreU(hn::Set(d, value), d, out + at); });
}

/// out = factor · weight ∘ block, where block(i, j, m) fills a block of pairs; weight may be null (1).
template <class Block, class D>
HWY_INLINE void weighted_sweep(D d, const Region& g, std::size_t stride, hn::TFromD<D> factor,
                               const hn::TFromD<D>* weight, hn::TFromD<D>* out, const Block& block) {
  using V = hn::Vec<D>;
  const std::size_t lanes = hn::Lanes(d);
  const V scale = hn::Set(d, factor);
  for (std::size_t r = 0; r < g.rows; r += kRows) {
    for (std::size_t j = 0; j < g.cols; j += kVectors * lanes) {
      PairBlock<V> m;
      block(g.row + r, g.col + j, m);
#pragma GCC unroll 4
      for (std::size_t a = 0; a < kRows; ++a) {
#pragma GCC unroll 2
        for (std::size_t b = 0; b < kVectors; ++b) {
          const std::size_t at = (r + a) * stride + j + b * lanes;
          m.at[a][b] = hn::Mul(m.at[a][b], scale);
          if (weight != nullptr) m.at[a][b] = hn::Mul(m.at[a][b], hn::LoadU(d, weight + at));
        }
      }
      store_block(d, TileView<hn::TFromD<D>>{out, stride}, r, j, m);
    }
  }
}

/// out = factor · weight ∘ (metric of a group of columns)
template <Metric kMetric, class D, class T>
HWY_NOINLINE void length_sweep(D d, const Leaf<T>& leaf, const LengthGroup& group, const Region& g, std::size_t stride,
                               const T* weight, T* out) {
  const auto first = static_cast<std::size_t>(group.first), count = static_cast<std::size_t>(group.count);
  const auto run = [&](std::size_t columns) HWY_ATTR {
    weighted_sweep(d, g, stride, leaf.length_factor, weight, out,
                   [&](std::size_t i, std::size_t j, PairBlock<hn::Vec<D>>& m)
                       HWY_ATTR { metric_block<kMetric>(d, leaf, i, j, first, columns, m); });
  };
  count == 1 ? run(1) : run(count);
}

template <class D, class T>
void length_derivative(D d, const Leaf<T>& leaf, const LengthGroup& group, const Region& g, std::size_t stride,
                       const T* weight, T* out) {
  switch (leaf.metric) {
    case Metric::distance:
      return length_sweep<Metric::distance>(d, leaf, group, g, stride, weight, out);
    case Metric::sine:
      return length_sweep<Metric::sine>(d, leaf, group, g, stride, weight, out);
    case Metric::distance_sine:
      return length_sweep<Metric::distance_sine>(d, leaf, group, g, stride, weight, out);
    case Metric::dot:
      return length_sweep<Metric::dot>(d, leaf, group, g, stride, weight, out);
    case Metric::none:
      return;
  }
}

/// out = weight ∘ ∂ log k/∂ log p
template <class D, class T>
HWY_NOINLINE void period_derivative(D d, const Leaf<T>& leaf, const Region& g, std::size_t stride, const T* weight,
                                    T* out) {
  weighted_sweep(d, g, stride, T(1), weight, out, [&](std::size_t i, std::size_t j, PairBlock<hn::Vec<D>>& m) HWY_ATTR {
    period_block(d, leaf, i, j, leaf.columns, m);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace gpcv::simd
HWY_AFTER_NAMESPACE();

#endif
