// Elementary functions of Highway vectors, compiled once per instruction set.
//
// Bounds over the whole stated range, checked on every instruction set by simd_math_test:
//   Exp2, finite x ≤ 0           ≤ 3 ulp of 2^x; 0 once 2^x is below the smallest normal number
//   sin_squared_pi(u), |u| ≤ ½   ≤ 4 ulp of sin²(πu); reduced_turn before it is exact for |u| ≤ 1
//   sin_two_pi(u), |u| ≤ ½       ≤ 4 ulp of sin(2πu)
//   log2_of_one_plus(z)          ≤ 4 ulp of log2(1 + z), 0 ≤ z ≤ 1e35 (float), 1e305 (double)

#if defined(GPCV_SIMD_VECTOR_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GPCV_SIMD_VECTOR_MATH_INL_H_
#undef GPCV_SIMD_VECTOR_MATH_INL_H_
#else
#define GPCV_SIMD_VECTOR_MATH_INL_H_
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

/// u − round(u): a difference of two phases reduced to [−½, ½]. The result is exact for |u| ≤ 1.
template <class D, class V>
HWY_INLINE V reduced_turn(D, V u) {
  return hn::Sub(u, hn::Round(u));
}

/// sin²(πu) = u² P(u² − ⅛) for u in [−½, ½]. Centred in the range of u², the leading coefficient dominates, which
/// halves the rounding error of the polynomial in u² for one subtraction.
template <class D, class V>
HWY_INLINE V sin_squared_pi(D d, V u) {
  using T = hn::TFromD<D>;
  const V w = hn::Mul(u, u);
  return hn::Mul(w, polynomial(d, hn::Sub(w, hn::Set(d, T(0.125))), Coefficients<T>::sin_squared_pi));
}

/// sin(πu) = u P(u²) for u in [−½, ½].
template <class D, class V>
HWY_INLINE V sin_pi(D d, V u) {
  return hn::Mul(u, polynomial(d, hn::Mul(u, u), Coefficients<hn::TFromD<D>>::sin_pi));
}

/// sin(2πu) for u in [−½, ½]: with the sign of u, sin(πx) at x = min(2|u|, 1 − 2|u|) ≤ ½.
template <class D, class V>
HWY_INLINE V sin_two_pi(D d, V u) {
  const V twice = hn::Abs(hn::Add(u, u));
  return hn::CopySign(sin_pi(d, hn::Min(twice, hn::Sub(hn::Set(d, hn::TFromD<D>(1)), twice))), u);
}

/// log2(1 + z) for z ≥ 0, with full relative accuracy also for small z.
template <class D, class V>
HWY_INLINE V log2_of_one_plus(D d, V z) {
  using T = hn::TFromD<D>;
  const hn::RebindToUnsigned<D> du;
  using U = hn::TFromD<decltype(du)>;
  constexpr int kMantissaBits = sizeof(T) == 4 ? 23 : 52;
  constexpr U kSqrtHalf = static_cast<U>(sizeof(T) == 4 ? 0x3F3504F3ULL : 0x3FE6A09E667F3BCDULL);
  constexpr U kBias = sizeof(T) == 4 ? 127 : 1023;
  // kInteger is 2^(mantissa bits): its bits or'ed with a small integer are the sum of both.
  constexpr T kInteger = sizeof(T) == 4 ? T(0x1p23) : T(0x1p52);

  const V one = hn::Set(d, T(1));
  const V y = hn::Add(z, one);
  // The rounding error of y: y + lost = 1 + z
  const V lost = hn::Sub(z, hn::Sub(y, one));
  // y = 2^e m with m in [√½, √2)
  const auto bits = hn::BitCast(du, y);
  const auto e = hn::ShiftRight<kMantissaBits>(hn::Sub(bits, hn::Set(du, kSqrtHalf)));
  const V m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<kMantissaBits>(e)));
  const V inverse_power = hn::BitCast(d, hn::ShiftLeft<kMantissaBits>(hn::Sub(hn::Set(du, kBias), e)));
  const V exponent = hn::Sub(hn::BitCast(d, hn::Or(e, hn::BitCast(du, hn::Set(d, kInteger)))), hn::Set(d, kInteger));
  // log2(1 + f) = 2/ln 2 · atanh(s), s = f / (2 + f)
  const V f = hn::MulAdd(lost, inverse_power, hn::Sub(m, one));
  const V s = hn::Div(f, hn::Add(f, hn::Set(d, T(2))));
  const V w = hn::Mul(s, s);
  return hn::MulAdd(s, polynomial(d, w, Coefficients<T>::log2_atanh), exponent);
}

}  // namespace HWY_NAMESPACE
}  // namespace gpcv::simd
HWY_AFTER_NAMESPACE();

#endif
