// 2^x of Highway vectors, compiled once per instruction set; its error is that of vector_math-inl.h. This is the only
// file with instructions that Highway does not have.

#if defined(GPCV_SIMD_EXP2_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GPCV_SIMD_EXP2_INL_H_
#undef GPCV_SIMD_EXP2_INL_H_
#else
#define GPCV_SIMD_EXP2_INL_H_
#endif

#include <hwy/highway.h>

#include "backends/simd/tiles/coefficients.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpcv::simd {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// c_0 + c_1 x + … by Horner's rule.
template <class D, class V, std::size_t kCount>
HWY_INLINE V polynomial(D d, V x, const hn::TFromD<D> (&c)[kCount]) {
  V sum = hn::Set(d, c[kCount - 1]);
#pragma GCC unroll 16
  for (std::size_t k = 2; k <= kCount; ++k) sum = hn::MulAdd(sum, x, hn::Set(d, c[kCount - k]));
  return sum;
}

/// factor · 2^x for finite x ≤ 0. The factor is multiplied into constants, so it costs nothing per element.
#if HWY_TARGET <= HWY_AVX3

/// x = r + g, r a multiple of 1/32 (float) or 1/16 (double): 2^x = 2^⌊r⌋ · table(r − ⌊r⌋) · 2^g. One instruction looks
/// up a table of two registers; another scales by 2^⌊r⌋ and underflows to 0. One column of se runs 25 % faster than
/// with the polynomial below, in float and in double.
template <class D>
class Exp2 {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  using C = Coefficients<T>;
  // Adding kRounder rounds to a multiple of 1/32 or 1/16 and leaves that multiple in the low bits.
  static constexpr T kRounder = sizeof(T) == 4 ? T(0x1.8p18) : T(0x1.8p48);

 public:
  HWY_INLINE Exp2(D d, T factor)
      : low_(hn::Mul(hn::Set(d, factor), hn::LoadU(d, C::exp2_table))),
        high_(hn::Mul(hn::Set(d, factor), hn::LoadU(d, C::exp2_table + hn::Lanes(d)))) {}

  HWY_INLINE V operator()(D d, V x) const {
    V one[1] = {x};
    in_step(d, one);
    return one[0];
  }

  /// x = factor · 2^x for several vectors, stage by stage: 4 % faster than one vector after another.
  template <std::size_t kSize>
  HWY_INLINE void in_step(D d, V (&x)[kSize]) const {
    V r[kSize], g[kSize], power[kSize];
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kSize; ++i) {
      const V shifted = hn::Add(x[i], hn::Set(d, kRounder));
      r[i] = hn::Sub(shifted, hn::Set(d, kRounder));
      g[i] = hn::Sub(x[i], r[i]);
      power[i] = lookup(shifted);
    }
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kSize; ++i) {
      // 2^r 2^g = 2^r + (2^r g) (2^g − 1)/g
      x[i] = scaled(hn::MulAdd(hn::Mul(power[i], g[i]), polynomial(d, g[i], C::exp2_short), power[i]), r[i]);
    }
  }

 private:
  HWY_INLINE V lookup(V index) const {
    if constexpr (sizeof(T) == 4) {
      return V{_mm512_permutex2var_ps(low_.raw, _mm512_castps_si512(index.raw), high_.raw)};
    } else {
      return V{_mm512_permutex2var_pd(low_.raw, _mm512_castpd_si512(index.raw), high_.raw)};
    }
  }
  /// v · 2^⌊r⌋
  static HWY_INLINE V scaled(V v, V r) {
    if constexpr (sizeof(T) == 4) {
      return V{_mm512_scalef_ps(v.raw, r.raw)};
    } else {
      return V{_mm512_scalef_pd(v.raw, r.raw)};
    }
  }

  V low_, high_;
};

#else

/// x = n + f, n the nearest integer: 2^x = 2^n · polynomial(f).
template <class D>
class Exp2 {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  using C = Coefficients<T>;
  static constexpr std::size_t kCount = sizeof(C::exp2) / sizeof(T);
  static constexpr int kMantissaBits = sizeof(T) == 4 ? 23 : 52;
  static constexpr T kBias = sizeof(T) == 4 ? T(127) : T(1023);
  // Adding kRounder rounds to an integer and leaves bias + n in the low bits.
  static constexpr T kRounder = (sizeof(T) == 4 ? T(0x1.8p23) : T(0x1.8p52)) + kBias;

 public:
  HWY_INLINE Exp2(D d, T factor) {
#pragma GCC unroll 16
    for (std::size_t k = 0; k < kCount; ++k) c_[k] = hn::Set(d, static_cast<T>(factor * C::exp2[k]));
  }

  HWY_INLINE V operator()(D d, V x) const {
    const hn::RebindToUnsigned<D> du;
    x = hn::Max(x, hn::Set(d, -kBias));
    const V shifted = hn::Add(x, hn::Set(d, kRounder));
    const V f = hn::Sub(x, hn::Sub(shifted, hn::Set(d, kRounder)));
    V sum = c_[kCount - 1];
#pragma GCC unroll 16
    for (std::size_t k = 2; k <= kCount; ++k) sum = hn::MulAdd(sum, f, c_[kCount - k]);
    // bias + n is the exponent of 2^n; n = −bias gives the number +0.
    return hn::Mul(sum, hn::BitCast(d, hn::ShiftLeft<kMantissaBits>(hn::BitCast(du, shifted))));
  }

  template <std::size_t kSize>
  HWY_INLINE void in_step(D d, V (&x)[kSize]) const {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kSize; ++i) x[i] = (*this)(d, x[i]);
  }

 private:
  V c_[kCount];
};

#endif

}  // namespace HWY_NAMESPACE
}  // namespace gpcv::simd
HWY_AFTER_NAMESPACE();

#endif
