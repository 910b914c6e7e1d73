/// A guard that disables denormal numbers in this thread and restores the caller's mode.
#pragma once

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include <cstdint>

namespace gpcv::simd {

/// The register that controls floating-point numbers of this thread.
struct FloatingPointMode {
#if defined(__SSE__)
  using Bits = unsigned;
  static constexpr Bits flush = 0x8000 | 0x0040;  ///< results and operands that are denormal become zero
  static Bits get() { return _mm_getcsr(); }
  static void set(Bits bits) { _mm_setcsr(bits); }
#elif defined(__aarch64__)
  using Bits = std::uint64_t;
  static constexpr Bits flush = Bits{1} << 24;
  static Bits get() {
    Bits bits = 0;
    asm volatile("mrs %0, fpcr" : "=r"(bits) : : "memory");
    return bits;
  }
  static void set(Bits bits) { asm volatile("msr fpcr, %0" : : "r"(bits) : "memory"); }
#else
  using Bits = unsigned;
  static constexpr Bits flush = 0;  // other processors only compute more slowly
  static Bits get() { return 0; }
  static void set(Bits) {}
#endif
};

/// The guard for float products: distant pairs underflow, and denormal numbers would make products 10–30 times slower
/// (x86).
class FlushDenormals {
 public:
  FlushDenormals() : previous_(FloatingPointMode::get()) {
    FloatingPointMode::set(previous_ | FloatingPointMode::flush);
  }
  ~FlushDenormals() { FloatingPointMode::set(previous_); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  FloatingPointMode::Bits previous_;
};

}  // namespace gpcv::simd
