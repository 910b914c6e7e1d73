/// Denormal numbers off in this thread for the lifetime of the object; the caller's mode comes back after it.
#pragma once

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace gpcv::simd {

/// Far pairs underflow: without this, float products are 10–30 times slower.
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
