// Exact sums, compiled once per instruction set: with two numbers per instruction they took 5 % of a product of 48
// columns in double.
#include "backends/simd/exact_add.hpp"

#include "backends/simd/tiles/enabled_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/exact_add.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gpcv::simd {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::ScalableTag<double>;

HWY_INLINE hn::Vec<Doubles> load(const double* x) { return hn::LoadU(Doubles(), x); }
HWY_INLINE hn::Vec<Doubles> load(const float* x) {
  return hn::PromoteTo(Doubles(), hn::LoadU(hn::Rebind<float, Doubles>(), x));
}

template <class T>
HWY_ATTR void add_on_target(const ExactSum& exact, const T* x, std::size_t count, double* sum, double* rest) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  const auto m = hn::Set(d, exact.coarse()), f = hn::Set(d, exact.fine());
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto value = load(x + i), high = hn::Sub(hn::Add(value, m), m);
    hn::StoreU(hn::Add(hn::LoadU(d, sum + i), high), d, sum + i);
    if (rest == nullptr) continue;
    const auto low = hn::Sub(hn::Add(hn::Sub(value, high), f), f);
    hn::StoreU(hn::Add(hn::LoadU(d, rest + i), low), d, rest + i);
  }
  if (rest == nullptr) {
    exact.add(x + i, count - i, sum + i);
  } else {
    exact.add(x + i, count - i, sum + i, rest + i);
  }
}

HWY_ATTR void add_floats(const ExactSum& exact, const float* x, std::size_t count, double* sum, double* rest) {
  add_on_target(exact, x, count, sum, rest);
}
HWY_ATTR void add_doubles(const ExactSum& exact, const double* x, std::size_t count, double* sum, double* rest) {
  add_on_target(exact, x, count, sum, rest);
}

}  // namespace HWY_NAMESPACE
}  // namespace gpcv::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpcv::simd {

HWY_EXPORT(add_floats);
HWY_EXPORT(add_doubles);

void exact_add(const ExactSum& exact, const float* x, std::size_t count, double* sum, double* rest) {
  HWY_DYNAMIC_DISPATCH(add_floats)(exact, x, count, sum, rest);
}
void exact_add(const ExactSum& exact, const double* x, std::size_t count, double* sum, double* rest) {
  HWY_DYNAMIC_DISPATCH(add_doubles)(exact, x, count, sum, rest);
}

}  // namespace gpcv::simd
#endif
