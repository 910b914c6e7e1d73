/// A guard that disables denormal numbers in this thread and restores the caller's mode.
#pragma once

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace gpcv::simd {

/// The guard for float products: distant pairs underflow, and denormal numbers would make products 10–30 times slower.
class FlushDenormals {
#if defined(__SSE__)
 public:
  FlushDenormals() : previous_(_mm_getcsr()) { _mm_setcsr(previous_ | flush_to_zero | denormals_are_zero); }
  ~FlushDenormals() { _mm_setcsr(previous_); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  static constexpr unsigned flush_to_zero = 0x8000;
  static constexpr unsigned denormals_are_zero = 0x0040;
  unsigned previous_;
#else
 public:
  FlushDenormals() {}
#endif
};

}  // namespace gpcv::simd
