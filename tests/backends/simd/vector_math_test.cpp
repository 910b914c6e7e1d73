// The vector functions against long double, in units of the last place.
#include "backends/simd/tiles/enabled_targets.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "backends/simd/flush_denormals.hpp"
#include "every_target.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/vector_math_test.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/simd/tiles/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gpcv::simd {
namespace HWY_NAMESPACE {

template <class T, class Function>
void map(const T* x, std::size_t n, T* y, const Function& f) {
  const hn::ScalableTag<T> d;
  // n is a multiple of 16.
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) hn::StoreU(f(d, hn::LoadU(d, x + i)), d, y + i);
}

#define GPCV_MAP(name, expression)                                                   \
  template <class T>                                                                 \
  void name##_of(const T* x, std::size_t n, T* y) {                                  \
    map(x, n, y, [](auto d, auto v) HWY_ATTR { return expression; });                \
  }                                                                                  \
  void name##_float(const float* x, std::size_t n, float* y) { name##_of(x, n, y); } \
  void name##_double(const double* x, std::size_t n, double* y) { name##_of(x, n, y); }

GPCV_MAP(exp2_minus, Exp2<decltype(d)>(d, 1)(d, hn::Neg(v)))
GPCV_MAP(sine_squared, sin_squared_pi(d, reduced_turn(d, v)))
GPCV_MAP(sine, sin_two_pi(d, v))
GPCV_MAP(log2_plus, log2_of_one_plus(d, v))
#undef GPCV_MAP

}  // namespace HWY_NAMESPACE
}  // namespace gpcv::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpcv::simd {

HWY_EXPORT(exp2_minus_float);
HWY_EXPORT(exp2_minus_double);
HWY_EXPORT(sine_squared_float);
HWY_EXPORT(sine_squared_double);
HWY_EXPORT(sine_float);
HWY_EXPORT(sine_double);
HWY_EXPORT(log2_plus_float);
HWY_EXPORT(log2_plus_double);

namespace {

template <class T>
std::vector<T> padded(std::vector<T> x) {
  while (x.size() % 16 != 0) x.push_back(x.back());
  return x;
}

/// Dense, irregular samples of [low, high] and the ends.
template <class T>
std::vector<T> samples(T low, T high, int count) {
  std::vector<T> x{low, high};
  for (int i = 0; i < count; ++i) {
    x.push_back(low + (high - low) * static_cast<T>(std::fmod(i * std::numbers::phi_v<long double>, 1.0L)));
  }
  return padded(x);
}

/// Samples of [low, high] with every magnitude equally likely.
template <class T>
std::vector<T> magnitudes(T low, T high, int count) {
  std::vector<T> x = samples<T>(std::log2(low), std::log2(high), count);
  for (T& value : x) value = std::exp2(value);
  return x;
}

/// |y − exact| in units of the last place of the exact value.
template <class T>
double ulps(T y, long double exact) {
  const int exponent = exact == 0 ? 0 : std::ilogb(exact);
  const long double ulp = std::scalbn(1.0L, exponent - (std::numeric_limits<T>::digits - 1));
  return static_cast<double>(std::abs(y - exact) / ulp);
}

template <class T>
struct Functions;
template <>
struct Functions<float> {
  static void exp2_minus(const float* x, std::size_t n, float* y) { HWY_DYNAMIC_DISPATCH(exp2_minus_float)(x, n, y); }
  static void sine_squared(const float* x, std::size_t n, float* y) {
    HWY_DYNAMIC_DISPATCH(sine_squared_float)(x, n, y);
  }
  static void sine(const float* x, std::size_t n, float* y) { HWY_DYNAMIC_DISPATCH(sine_float)(x, n, y); }
  static void log2_plus(const float* x, std::size_t n, float* y) { HWY_DYNAMIC_DISPATCH(log2_plus_float)(x, n, y); }
};
template <>
struct Functions<double> {
  static void exp2_minus(const double* x, std::size_t n, double* y) {
    HWY_DYNAMIC_DISPATCH(exp2_minus_double)(x, n, y);
  }
  static void sine_squared(const double* x, std::size_t n, double* y) {
    HWY_DYNAMIC_DISPATCH(sine_squared_double)(x, n, y);
  }
  static void sine(const double* x, std::size_t n, double* y) { HWY_DYNAMIC_DISPATCH(sine_double)(x, n, y); }
  static void log2_plus(const double* x, std::size_t n, double* y) { HWY_DYNAMIC_DISPATCH(log2_plus_double)(x, n, y); }
};

template <class T>
class VectorMath : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(VectorMath, Reals);

template <class T, class Function>
std::vector<T> mapped(const Function& f, const std::vector<T>& x) {
  std::vector<T> y(x.size());
  const FlushDenormals guard;
  f(x.data(), x.size(), y.data());
  return y;
}

TYPED_TEST(VectorMath, Exp2IsWithinThreeUlpsOverItsWholeRange) {
  using T = TypeParam;
  const T end = -std::numeric_limits<T>::min_exponent + T(1);  // 2^−end is the smallest normal number
  on_every_target([&] {
    double worst = 0;
    for (const auto& x :
         {samples<T>(0, end, 400'000), samples<T>(0, 2, 400'000), magnitudes<T>(T(1e-30), end, 100'000)}) {
      const std::vector<T> y = mapped(Functions<T>::exp2_minus, x);
      for (std::size_t i = 0; i < x.size(); ++i) {
        // Flushing may take the last ulps above the smallest normal number.
        if (x[i] > end - T(1e-3)) continue;
        worst = std::max(worst, ulps(y[i], std::exp2(-static_cast<long double>(x[i]))));
      }
    }
    EXPECT_LE(worst, 3.0);
    this->RecordProperty("worst_ulp", std::to_string(worst));
  });
}

TYPED_TEST(VectorMath, Exp2IsExactAtIntegersAndZeroFarOut) {
  using T = TypeParam;
  const int end = -std::numeric_limits<T>::min_exponent + 1;
  on_every_target([&] {
    std::vector<T> x;
    for (int i = 0; i <= end; ++i) x.push_back(static_cast<T>(i));
    x = padded(x);
    const std::vector<T> y = mapped(Functions<T>::exp2_minus, x);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(y[i], std::exp2(-x[i])) << x[i];
    const std::vector<T> far = padded<T>({static_cast<T>(end + 1), static_cast<T>(end + 1.7), static_cast<T>(end + 40),
                                          T(1e30), std::numeric_limits<T>::max()});
    for (T value : mapped(Functions<T>::exp2_minus, far)) EXPECT_EQ(value, T(0));
  });
}

TYPED_TEST(VectorMath, SinSquaredPiIsWithinFourUlps) {
  using T = TypeParam;
  on_every_target([&] {
    double worst = 0;
    for (const auto& x : {samples<T>(T(-0.5), T(0.5), 400'000), magnitudes<T>(T(1e-15), T(0.5), 200'000)}) {
      const std::vector<T> y = mapped(Functions<T>::sine_squared, x);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const long double s = std::sin(std::numbers::pi_v<long double> * x[i]);
        worst = std::max(worst, ulps(y[i], s * s));
      }
    }
    EXPECT_LE(worst, 4.0);
    // Phases differ by up to one turn; there the reduction is exact.
    const std::vector<T> wide = samples<T>(-1, 1, 200'000);
    const std::vector<T> y = mapped(Functions<T>::sine_squared, wide);
    for (std::size_t i = 0; i < wide.size(); ++i) {
      const long double u = wide[i] - std::nearbyint(static_cast<long double>(wide[i]));
      const long double s = std::sin(std::numbers::pi_v<long double> * u);
      ASSERT_LE(ulps(y[i], s * s), 4.0) << wide[i];
    }
  });
}

TYPED_TEST(VectorMath, SinTwoPiIsWithinFourUlps) {
  using T = TypeParam;
  on_every_target([&] {
    double worst = 0;
    for (const auto& x : {samples<T>(T(-0.5), T(0.5), 400'000), magnitudes<T>(T(1e-15), T(0.5), 200'000)}) {
      const std::vector<T> y = mapped(Functions<T>::sine, x);
      for (std::size_t i = 0; i < x.size(); ++i) {
        // sin(2πu) = sin(π(1 − 2u)) keeps the relative accuracy of the comparison near u = ½.
        const long double u = std::abs(static_cast<long double>(x[i]));
        const long double exact = std::sin(std::numbers::pi_v<long double> * std::min(2 * u, 1 - 2 * u));
        worst = std::max(worst, ulps(std::abs(y[i]), exact));
        ASSERT_TRUE(y[i] == 0 || std::signbit(y[i]) == std::signbit(x[i])) << x[i];
      }
    }
    EXPECT_LE(worst, 4.0);
  });
}

TYPED_TEST(VectorMath, Log2OfOnePlusIsWithinFourUlps) {
  using T = TypeParam;
  const T end = sizeof(T) == 4 ? T(1e35) : static_cast<T>(1e305);
  on_every_target([&] {
    double worst = 0;
    for (const auto& x : {samples<T>(0, 4, 400'000), magnitudes<T>(T(1e-30), end, 400'000)}) {
      const std::vector<T> y = mapped(Functions<T>::log2_plus, x);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const long double exact = std::log1p(static_cast<long double>(x[i])) * std::numbers::log2e_v<long double>;
        worst = std::max(worst, ulps(y[i], exact));
      }
    }
    EXPECT_LE(worst, 4.0);
    EXPECT_EQ(mapped(Functions<T>::log2_plus, std::vector<T>(16, 0))[0], T(0));
  });
}

}  // namespace
}  // namespace gpcv::simd
#endif
