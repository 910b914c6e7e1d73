// Products of a tile with columns: rows += tile · v and, for the mirrored half, cols += tileᵀ · v. Both keep the column
// points along the lanes, so that right-hand sides are not transposed.

#if defined(GPCV_SIMD_TILE_PRODUCT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GPCV_SIMD_TILE_PRODUCT_INL_H_
#undef GPCV_SIMD_TILE_PRODUCT_INL_H_
#else
#define GPCV_SIMD_TILE_PRODUCT_INL_H_
#endif

#include <hwy/highway.h>

#include "backends/simd/tiles/tile_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpcv::simd {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The columns of a register block: 4 × 6 sums in the 32 registers of AVX-512, 4 × 2 in the 16 of other instruction
/// sets.
constexpr std::size_t kProductColumns = HWY_MAX_BYTES >= 64 ? 6 : 2;
constexpr std::size_t kProductRows = 4;
constexpr std::size_t kProductVectors = 4;

/// The operands and results of a tile's products; col_y is null if the tile is not mirrored.
template <class T>
struct ProductTarget {
  const T* row_v = nullptr;  ///< v at the tile's first row point
  const T* col_v = nullptr;
  std::size_t row_v_stride = 0, col_v_stride = 0;
  T* row_y = nullptr;
  T* col_y = nullptr;
  std::size_t y_stride = 0;
  std::size_t count = 0;
  ColumnRange zero_rows, zero_cols;  ///< columns without a mirrored product, columns without a product
  bool unwanted = false;             ///< columns in either range need neither product
};

#if HWY_TARGET == HWY_SCALAR

template <class D, class V>
HWY_INLINE void add_lane_sums(D, const V (&a)[4], hn::TFromD<D>* y) {
  for (std::size_t r = 0; r < 4; ++r) y[r] += hn::GetLane(a[r]);
}

#else

/// The sum of the 128-bit blocks of v.
template <class D, class V>
HWY_INLINE auto sum_of_blocks(D d, V v) {
  if constexpr (hn::MaxLanes(d) * sizeof(hn::TFromD<D>) <= 16) {
    return v;
  } else {
    const hn::Half<D> half;
    return sum_of_blocks(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
}

/// y[r] += sum of the lanes of a[r], r = 0 … 3: pairwise interleaving takes 4 instructions per sum instead of 8.
template <class D, class V>
HWY_INLINE void add_lane_sums(D d, const V (&a)[4], hn::TFromD<D>* y) {
  using T = hn::TFromD<D>;
  const hn::Full128<T> d128;
  const V a01 = hn::Add(hn::InterleaveLower(d, a[0], a[1]), hn::InterleaveUpper(d, a[0], a[1]));
  const V a23 = hn::Add(hn::InterleaveLower(d, a[2], a[3]), hn::InterleaveUpper(d, a[2], a[3]));
  if constexpr (sizeof(T) == 4) {
    const hn::Repartition<double, D> dw;
    const auto w01 = hn::BitCast(dw, a01), w23 = hn::BitCast(dw, a23);
    const V sums =
        hn::Add(hn::BitCast(d, hn::InterleaveLower(dw, w01, w23)), hn::BitCast(d, hn::InterleaveUpper(dw, w01, w23)));
    hn::StoreU(hn::Add(hn::LoadU(d128, y), sum_of_blocks(d, sums)), d128, y);
  } else {
    hn::StoreU(hn::Add(hn::LoadU(d128, y), sum_of_blocks(d, a01)), d128, y);
    hn::StoreU(hn::Add(hn::LoadU(d128, y + 2), sum_of_blocks(d, a23)), d128, y + 2);
  }
}

#endif

/// row_y(r, c) += Σ_j tile(r, j) v(j, c) for kCount columns.
template <std::size_t kCount, class D, class T>
void multiply_rows(D d, const T* tile, std::size_t tile_stride, std::size_t rows, std::size_t cols,
                   const ProductTarget<T>& p, std::size_t c0) {
  using V = hn::Vec<D>;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t r = 0; r < rows; r += kProductRows) {
    V sum[kCount][kProductRows];
#pragma GCC unroll 8
    for (std::size_t c = 0; c < kCount; ++c) {
#pragma GCC unroll 4
      for (std::size_t k = 0; k < kProductRows; ++k) sum[c][k] = hn::Zero(d);
    }
    const T* t = tile + r * tile_stride;
    const T* v = p.col_v + c0 * p.col_v_stride;
    for (std::size_t j = 0; j < cols; j += lanes) {
      V tj[kProductRows];
#pragma GCC unroll 4
      for (std::size_t k = 0; k < kProductRows; ++k) tj[k] = hn::LoadU(d, t + k * tile_stride + j);
#pragma GCC unroll 8
      for (std::size_t c = 0; c < kCount; ++c) {
        const V vj = hn::LoadU(d, v + c * p.col_v_stride + j);
#pragma GCC unroll 4
        for (std::size_t k = 0; k < kProductRows; ++k) sum[c][k] = hn::MulAdd(tj[k], vj, sum[c][k]);
      }
    }
#pragma GCC unroll 8
    for (std::size_t c = 0; c < kCount; ++c) add_lane_sums(d, sum[c], p.row_y + (c0 + c) * p.y_stride + r);
  }
}

/// col_y(j, c) += Σ_r tile(r, j) v(r, c) for kCount columns and kWidth vectors of column points.
template <std::size_t kCount, std::size_t kWidth, class D, class T>
HWY_INLINE void multiply_cols_strip(D d, const T* tile, std::size_t tile_stride, std::size_t rows, std::size_t j,
                                    const ProductTarget<T>& p, std::size_t c0) {
  using V = hn::Vec<D>;
  const std::size_t lanes = hn::Lanes(d);
  T* y = p.col_y + c0 * p.y_stride + j;
  const T* v = p.row_v + c0 * p.row_v_stride;
  V sum[kCount][kWidth];
#pragma GCC unroll 8
  for (std::size_t c = 0; c < kCount; ++c) {
#pragma GCC unroll 4
    for (std::size_t k = 0; k < kWidth; ++k) sum[c][k] = hn::LoadU(d, y + c * p.y_stride + k * lanes);
  }
  for (std::size_t r = 0; r < rows; ++r) {
    V t[kWidth];
#pragma GCC unroll 4
    for (std::size_t k = 0; k < kWidth; ++k) t[k] = hn::LoadU(d, tile + r * tile_stride + j + k * lanes);
#pragma GCC unroll 8
    for (std::size_t c = 0; c < kCount; ++c) {
      const V vr = hn::Set(d, v[c * p.row_v_stride + r]);
#pragma GCC unroll 4
      for (std::size_t k = 0; k < kWidth; ++k) sum[c][k] = hn::MulAdd(t[k], vr, sum[c][k]);
    }
  }
#pragma GCC unroll 8
  for (std::size_t c = 0; c < kCount; ++c) {
#pragma GCC unroll 4
    for (std::size_t k = 0; k < kWidth; ++k) hn::StoreU(sum[c][k], d, y + c * p.y_stride + k * lanes);
  }
}

template <std::size_t kCount, class D, class T>
void multiply_cols(D d, const T* tile, std::size_t tile_stride, std::size_t rows, std::size_t cols,
                   const ProductTarget<T>& p, std::size_t c0) {
  const std::size_t lanes = hn::Lanes(d);
  std::size_t j = 0;
  for (; j + kProductVectors * lanes <= cols; j += kProductVectors * lanes) {
    multiply_cols_strip<kCount, kProductVectors>(d, tile, tile_stride, rows, j, p, c0);
  }
  for (; j < cols; j += lanes) multiply_cols_strip<kCount, 1>(d, tile, tile_stride, rows, j, p, c0);
}

/// Computes both products of one group of columns while the tile is in the cache.
template <std::size_t kCount, class D, class T>
HWY_NOINLINE void multiply_group(D d, const T* tile, std::size_t tile_stride, std::size_t rows, std::size_t cols,
                                 const ProductTarget<T>& p, std::size_t c0, std::size_t count) {
  if constexpr (kCount > 1) {
    if (count < kCount) return multiply_group<kCount - 1>(d, tile, tile_stride, rows, cols, p, c0, count);
  }
  if (p.row_y != nullptr) multiply_rows<kCount>(d, tile, tile_stride, rows, cols, p, c0);
  if (p.col_y != nullptr) multiply_cols<kCount>(d, tile, tile_stride, rows, cols, p, c0);
}

/// Computes columns [begin, end) in groups whose sizes differ by at most one.
template <class D, class T>
void multiply_range(D d, const T* tile, std::size_t tile_stride, std::size_t rows, std::size_t cols,
                    const ProductTarget<T>& p, const ColumnRange& range) {
  const std::size_t total = range.end - range.begin;
  const std::size_t groups = (total + kProductColumns - 1) / kProductColumns;
  std::size_t c0 = range.begin;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t count = total / groups + (g < total % groups ? 1 : 0);
    multiply_group<kProductColumns>(d, tile, tile_stride, rows, cols, p, c0, count);
    c0 += count;
  }
}

/// Computes all columns except those known to be zero.
template <class D, class T>
void multiply_tile(D d, const T* tile, std::size_t tile_stride, std::size_t rows, std::size_t cols,
                   const ProductTarget<T>& p) {
  const ColumnRange a = p.zero_cols, b = p.zero_rows;
  for (std::size_t c = 0; c < p.count;) {
    // `next` is the next boundary of one of the ranges.
    std::size_t next = p.count;
    for (std::size_t edge : {a.begin, a.end, b.begin, b.end}) {
      if (edge > c) next = HWY_MIN(next, edge);
    }
    ProductTarget<T> part = p;
    const bool in_a = c >= a.begin && c < a.end, in_b = c >= b.begin && c < b.end;
    if (in_a || (in_b && p.unwanted)) part.row_y = nullptr;
    if (in_b || (in_a && p.unwanted)) part.col_y = nullptr;
    if (part.row_y != nullptr || part.col_y != nullptr) {
      multiply_range(d, tile, tile_stride, rows, cols, part, {c, next});
    }
    c = next;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace gpcv::simd
HWY_AFTER_NAMESPACE();

#endif
