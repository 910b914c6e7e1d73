// The map from the metric m of a leaf to its value and the factors of its derivatives.

#if defined(GPCV_SIMD_LEAF_PROFILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GPCV_SIMD_LEAF_PROFILE_INL_H_
#undef GPCV_SIMD_LEAF_PROFILE_INL_H_
#else
#define GPCV_SIMD_LEAF_PROFILE_INL_H_
#endif

#include <hwy/highway.h>

#include "backends/simd/program/prepared_program.hpp"
#include "backends/simd/tiles/leaf_metric-inl.h"
#include "backends/simd/tiles/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gpcv::simd {
namespace HWY_NAMESPACE {

template <Profile kProfile, class D>
class LeafProfile {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  static constexpr T kLn2 = static_cast<T>(0.693147180559945309417);

 public:
  LeafProfile(D d, const Leaf<T>& leaf)
      : exp2_(d, leaf.variance), variance_(hn::Set(d, leaf.variance)), shape_(hn::Set(d, leaf.shape)) {}

  /// Replaces m by k.
  HWY_INLINE void replace_by_values(D d, PairBlock<V>& m) const {
    if constexpr (kProfile == Profile::exponential) {
      // The vectors are evaluated together, as many as the registers allow: double has four more coefficients.
      constexpr std::size_t kTogether = sizeof(T) == 4 ? 8 : 4;
#pragma GCC unroll 2
      for (std::size_t first = 0; first < kRows * kVectors; first += kTogether) {
        V x[kTogether];
#pragma GCC unroll 8
        for (std::size_t i = 0; i < kTogether; ++i) x[i] = m.at[(first + i) / kVectors][(first + i) % kVectors];
        exp2_.in_step(d, x);
#pragma GCC unroll 8
        for (std::size_t i = 0; i < kTogether; ++i) m.at[(first + i) / kVectors][(first + i) % kVectors] = x[i];
      }
    } else {
#pragma GCC unroll 4
      for (std::size_t a = 0; a < kRows; ++a) {
#pragma GCC unroll 2
        for (std::size_t b = 0; b < kVectors; ++b) {
          V slope, shape;
          m.at[a][b] = value_and_slopes(d, m.at[a][b], slope, shape);
        }
      }
    }
  }

  /// slope: ∂k/∂log l = −slope · m of the length's columns (Matérn and rational only).
  /// shape: ∂k/∂log a (rational only).
  HWY_INLINE V value_and_slopes(D d, V m, V& slope, V& shape) const {
    slope = shape = hn::Zero(d);
    if constexpr (kProfile == Profile::exponential) {
      return exp2_(d, m);
    } else if constexpr (kProfile == Profile::matern12) {
      const V s = hn::Sqrt(hn::Neg(m));
      const V k = exp2_(d, hn::Neg(s));
      // ∂k/∂log l = −k ln 2/s · m of its columns, and 0 at s = 0
      slope = hn::IfThenElseZero(hn::Gt(s, hn::Zero(d)), hn::Div(hn::Mul(hn::Set(d, kLn2), k), s));
      return k;
    } else if constexpr (kProfile == Profile::matern32) {
      const V s = hn::Sqrt(hn::Neg(m));
      const V e = exp2_(d, hn::Neg(s));
      // ∂k/∂log l = −ln² 2 · e · m of its columns (3 s2 exp(−√3 r) q)
      slope = hn::Mul(hn::Set(d, kLn2 * kLn2), e);
      // k = (1 + √3 r) e
      return hn::MulAdd(hn::Mul(hn::Set(d, kLn2), s), e, e);
    } else if constexpr (kProfile == Profile::matern52) {
      const V s = hn::Sqrt(hn::Neg(m));
      const V e = exp2_(d, hn::Neg(s));
      const V t = hn::Mul(hn::Set(d, kLn2), s);
      // ∂k/∂log l = −ln² 2/3 · (1 + t) e · m of its columns (5/3 s2 (1 + √5 r) exp(−√5 r) q)
      slope = hn::Mul(hn::Set(d, kLn2 * kLn2 / 3), hn::MulAdd(t, e, e));
      // k = (1 + t + t²/3) e
      return hn::MulAdd(hn::MulAdd(t, hn::Set(d, T(1) / T(3)), hn::Set(d, T(1))), hn::Mul(t, e), e);
    } else if constexpr (kProfile == Profile::rational) {
      const V q = hn::Neg(m);
      // k = s2 2^−(a log2(1 + q))
      const V a_log2 = hn::Min(hn::Mul(shape_, log2_of_one_plus(d, q)), hn::Set(d, T(1e30)));
      const V k = exp2_(d, hn::Neg(a_log2));
      const V inverse = hn::Div(shape_, hn::Add(hn::Set(d, T(1)), q));
      // ∂k/∂log l = −2a k/(1 + q) · m of its columns
      slope = hn::Mul(hn::Mul(hn::Set(d, T(2)), k), inverse);
      // ∂k/∂log a = k (a q/(1 + q) − a ln(1 + q))
      shape = hn::Mul(k, hn::NegMulAdd(hn::Set(d, kLn2), a_log2, hn::Mul(q, inverse)));
      return k;
    } else if constexpr (kProfile == Profile::scaled) {
      return hn::Mul(variance_, m);
    } else {
      return variance_;
    }
  }

 private:
  Exp2<D> exp2_;
  V variance_, shape_;
};

}  // namespace HWY_NAMESPACE
}  // namespace gpcv::simd
HWY_AFTER_NAMESPACE();

#endif
