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
#include "backends/simd/tiles/exp2-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gpcv::simd {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

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
