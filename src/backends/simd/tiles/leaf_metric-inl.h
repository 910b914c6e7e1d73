// The metric of a leaf, summed over its columns for a small block of pairs in registers.

#if defined(GPCV_SIMD_LEAF_METRIC_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GPCV_SIMD_LEAF_METRIC_INL_H_
#undef GPCV_SIMD_LEAF_METRIC_INL_H_
#else
#define GPCV_SIMD_LEAF_METRIC_INL_H_
#endif

#include <hwy/highway.h>

#include "backends/simd/program/prepared_program.hpp"
#include "backends/simd/tiles/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gpcv::simd {
namespace HWY_NAMESPACE {

/// The size of a block, kRows row points × kVectors vectors of column points: each loaded coordinate serves kRows
/// pairs, each broadcast one kVectors, and the eight sums fit the sixteen registers of AVX2.
constexpr std::size_t kRows = 4;
constexpr std::size_t kVectors = 2;

/// A rectangle of pairs inside a tile; rows is a multiple of kRows, cols of kVectors vectors (padding included).
struct Region {
  std::size_t row = 0, rows = 0;
  std::size_t col = 0, cols = 0;
};

template <class V>
struct PairBlock {
  V at[kRows][kVectors];
  /// The constructor is written out because g++ compiles an implicit one without the instructions of NEON.
  HWY_INLINE PairBlock() {}
};

/// The sum over columns [first, first + count) of the leaf's metric at row points i …, column points j ….
template <Metric kMetric, class D>
HWY_INLINE void metric_block(D d, const Leaf<hn::TFromD<D>>& leaf, std::size_t i, std::size_t j, std::size_t first,
                             std::size_t count, PairBlock<hn::Vec<D>>& m) {
  using V = hn::Vec<D>;
  const std::size_t lanes = hn::Lanes(d);
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (std::size_t k = 0; k < kVectors; ++k) m.at[r][k] = hn::Zero(d);
  }
  for (std::size_t c = first; c < first + count; ++c) {
    if constexpr (kMetric != Metric::sine) {
      const auto* a = leaf.row_x + c * leaf.row_stride + i;
      const auto* b = leaf.col_x + c * leaf.col_stride + j;
      const V b0 = hn::LoadU(d, b), b1 = hn::LoadU(d, b + lanes);
#pragma GCC unroll 4
      for (std::size_t r = 0; r < kRows; ++r) {
        const V ar = hn::Set(d, a[r]);
        if constexpr (kMetric == Metric::dot) {
          // m += a b
          m.at[r][0] = hn::MulAdd(ar, b0, m.at[r][0]);
          m.at[r][1] = hn::MulAdd(ar, b1, m.at[r][1]);
        } else {
          // m −= (a − b)²
          const V d0 = hn::Sub(ar, b0), d1 = hn::Sub(ar, b1);
          m.at[r][0] = hn::NegMulAdd(d0, d0, m.at[r][0]);
          m.at[r][1] = hn::NegMulAdd(d1, d1, m.at[r][1]);
        }
      }
    }
    if constexpr (kMetric == Metric::sine || kMetric == Metric::distance_sine) {
      const auto* f = leaf.row_phase + c * leaf.row_stride + i;
      const auto* g = leaf.col_phase + c * leaf.col_stride + j;
      const V g0 = hn::LoadU(d, g), g1 = hn::LoadU(d, g + lanes);
      const V weight = hn::Set(d, leaf.sine_weight[c]);
#pragma GCC unroll 4
      for (std::size_t r = 0; r < kRows; ++r) {
        const V fr = hn::Set(d, f[r]);
        // m −= w sin²(π(f − g))
        m.at[r][0] = hn::NegMulAdd(weight, sin_squared_pi(d, reduced_turn(d, hn::Sub(fr, g0))), m.at[r][0]);
        m.at[r][1] = hn::NegMulAdd(weight, sin_squared_pi(d, reduced_turn(d, hn::Sub(fr, g1))), m.at[r][1]);
      }
    }
  }
}

/// ∂ log k/∂ log p = Σ weight (a − b) sin(2π(f − g))
template <class D>
HWY_INLINE void period_block(D d, const Leaf<hn::TFromD<D>>& leaf, std::size_t i, std::size_t j, std::size_t columns,
                             PairBlock<hn::Vec<D>>& m) {
  using V = hn::Vec<D>;
  const std::size_t lanes = hn::Lanes(d);
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (std::size_t k = 0; k < kVectors; ++k) m.at[r][k] = hn::Zero(d);
  }
  for (std::size_t c = 0; c < columns; ++c) {
    const auto* a = leaf.row_x + c * leaf.row_stride + i;
    const auto* b = leaf.col_x + c * leaf.col_stride + j;
    const auto* f = leaf.row_phase + c * leaf.row_stride + i;
    const auto* g = leaf.col_phase + c * leaf.col_stride + j;
    const V weight = hn::Set(d, leaf.period_weight[c]);
#pragma GCC unroll 2
    for (std::size_t k = 0; k < kVectors; ++k) {
      const V bk = hn::LoadU(d, b + k * lanes), gk = hn::LoadU(d, g + k * lanes);
#pragma GCC unroll 4
      for (std::size_t r = 0; r < kRows; ++r) {
        const V difference = hn::Sub(hn::Set(d, a[r]), bk);
        const V sine = sin_two_pi(d, reduced_turn(d, hn::Sub(hn::Set(d, f[r]), gk)));
        m.at[r][k] = hn::MulAdd(hn::Mul(weight, difference), sine, m.at[r][k]);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace gpcv::simd
HWY_AFTER_NAMESPACE();

#endif
