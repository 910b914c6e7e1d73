// All derivatives of a leaf, contracted with an adjoint tile in one sweep without stores.

#if defined(GPCV_SIMD_LEAF_CONTRACT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GPCV_SIMD_LEAF_CONTRACT_INL_H_
#undef GPCV_SIMD_LEAF_CONTRACT_INL_H_
#else
#define GPCV_SIMD_LEAF_CONTRACT_INL_H_
#endif

#include <hwy/highway.h>

#include "backends/simd/tiles/leaf_value-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gpcv::simd {
namespace HWY_NAMESPACE {

/// The number of length scales in one sweep; a leaf with more needs several sweeps.
constexpr std::size_t kSweepGroups = 16;

/// The sums of one sweep, two vectors each so that consecutive additions are independent.
template <class D>
class LaneSums {
  using V = hn::Vec<D>;

 public:
  HWY_INLINE explicit LaneSums(D d) { at[0] = at[1] = hn::Zero(d); }
  HWY_INLINE double total(D d) const {
    return static_cast<double>(hn::GetLane(hn::SumOfLanes(d, hn::Add(at[0], at[1]))));
  }
  V at[kVectors];
};

/// sums += a ∘ b
template <class D, class V>
HWY_INLINE void add_products(LaneSums<D>& sums, const PairBlock<V>& a, const PairBlock<V>& b) {
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (std::size_t k = 0; k < kVectors; ++k) sums.at[k] = hn::MulAdd(a.at[r][k], b.at[r][k], sums.at[k]);
  }
}

/// The factor of the metric in w ∂k/∂log l = factor · (w k, w slope, or w) · metric of the columns of l.
template <Profile kProfile, class V>
HWY_INLINE V length_weight(V w, V value, V slope) {
  if constexpr (kProfile == Profile::exponential) {
    return value;
  } else if constexpr (kProfile == Profile::scaled) {
    return w;
  } else {
    return hn::Mul(w, slope);
  }
}

/// gradient_θ += Σ adjoint ∘ ∂k/∂log θ for groups [first, first + count) and, with first = 0, the other parameters.
template <Metric kMetric, Profile kProfile, std::size_t kColumns, class D>
HWY_NOINLINE void contract_sweep(D d, const Leaf<hn::TFromD<D>>& leaf, const Region& g, TileView<hn::TFromD<D>> adjoint,
                                 std::size_t first, std::size_t count, double* gradient) {
  using V = hn::Vec<D>;
  constexpr bool kPeriodic = kMetric == Metric::sine || kMetric == Metric::distance_sine;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t columns = kColumns == 0 ? leaf.columns : kColumns;
  const LeafProfile<kProfile, D> profile(d, leaf);
  // With one length scale for all columns, its metric is the one of the value.
  const bool whole = count == 1 && static_cast<std::size_t>(leaf.groups[first].count) == columns;
  const bool with_period = kPeriodic && first == 0 && leaf.period_theta >= 0;
  LaneSums<D> variance(d), shape(d), period(d);
  LaneSums<D> lengths[kSweepGroups] = {LaneSums<D>(d), LaneSums<D>(d), LaneSums<D>(d), LaneSums<D>(d),
                                       LaneSums<D>(d), LaneSums<D>(d), LaneSums<D>(d), LaneSums<D>(d),
                                       LaneSums<D>(d), LaneSums<D>(d), LaneSums<D>(d), LaneSums<D>(d),
                                       LaneSums<D>(d), LaneSums<D>(d), LaneSums<D>(d), LaneSums<D>(d)};
  for (std::size_t r = 0; r < g.rows; r += kRows) {
    for (std::size_t j = 0; j < g.cols; j += kVectors * lanes) {
      PairBlock<V> m, value, weight;
      metric_block<kMetric>(d, leaf, g.row + r, g.col + j, 0, columns, m);
#pragma GCC unroll 4
      for (std::size_t a = 0; a < kRows; ++a) {
#pragma GCC unroll 2
        for (std::size_t b = 0; b < kVectors; ++b) {
          V slope, dk_dshape;
          const V k = profile.value_and_slopes(d, m.at[a][b], slope, dk_dshape);
          const V w = hn::LoadU(d, adjoint.data + (r + a) * adjoint.stride + j + b * lanes);
          // ∂k/∂log s2 = k
          value.at[a][b] = hn::Mul(w, k);
          variance.at[b] = hn::Add(variance.at[b], value.at[a][b]);
          if constexpr (kProfile == Profile::rational) shape.at[b] = hn::MulAdd(w, dk_dshape, shape.at[b]);
          weight.at[a][b] = length_weight<kProfile>(w, value.at[a][b], slope);
        }
      }
      if (whole) {
        add_products(lengths[0], weight, m);
      } else {
        for (std::size_t i = 0; i < count; ++i) {
          const LengthGroup& group = leaf.groups[first + i];
          metric_block<kMetric>(d, leaf, g.row + r, g.col + j, static_cast<std::size_t>(group.first),
                                static_cast<std::size_t>(group.count), m);
          add_products(lengths[i], weight, m);
        }
      }
      if constexpr (kPeriodic) {
        if (with_period) {
          period_block(d, leaf, g.row + r, g.col + j, columns, m);
          add_products(period, value, m);
        }
      }
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    gradient[leaf.groups[first + i].theta] += static_cast<double>(leaf.length_factor) * lengths[i].total(d);
  }
  if (first > 0) return;
  if (leaf.variance_theta >= 0) gradient[leaf.variance_theta] += variance.total(d);
  if (leaf.shape_theta >= 0) gradient[leaf.shape_theta] += shape.total(d);
  if (with_period) gradient[leaf.period_theta] += period.total(d);
}

/// gradient_θ += Σ adjoint ∘ ∂k/∂log θ for every parameter of the leaf.
template <class D, class T>
void contract_leaf(D, const Leaf<T>& leaf, const Region& g, TileView<T> adjoint, double* gradient) {
  const auto sweep = [&]<Metric kMetric, Profile kProfile, std::size_t kColumns>() {
    std::size_t first = 0;
    do {
      const std::size_t count = HWY_MIN(kSweepGroups, leaf.group_count - first);
      contract_sweep<kMetric, kProfile, kColumns>(D(), leaf, g, adjoint, first, count, gradient);
      first += count;
    } while (first < leaf.group_count);
  };
  with_leaf_type(leaf.metric, leaf.profile, leaf.columns, sweep);
}

}  // namespace HWY_NAMESPACE
}  // namespace gpcv::simd
HWY_AFTER_NAMESPACE();

#endif
