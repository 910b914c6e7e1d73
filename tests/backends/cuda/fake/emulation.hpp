/// CUDA C++ as host C++: a grid runs block by block, the threads of a block as fibers that meet at barriers.
#pragma once

#include <math.h>
#include <ucontext.h>

#include <cstring>
#include <vector>

#define __global__
#define __shared__ static
#define __launch_bounds__(...)
#define GPCV_DEVICE static inline

struct EmulatedIndex {
  unsigned x = 0, y = 0, z = 0;
};
static EmulatedIndex threadIdx, blockIdx;

namespace emulation {

constexpr unsigned threads = 128;
constexpr std::size_t stack_size = 256 * 1024;

inline ucontext_t scheduler;
inline ucontext_t fiber[threads];
inline std::vector<char> stacks(threads* stack_size);
inline bool finished[threads];
inline void (*body)(void**);
inline void** parameters;

inline void run_body() {
  body(parameters);
  finished[threadIdx.x] = true;
}

/// Every thread runs up to its next barrier before any goes on.
inline void run_block() {
  for (unsigned t = 0; t < threads; ++t) {
    getcontext(&fiber[t]);
    fiber[t].uc_stack.ss_sp = stacks.data() + t * stack_size;
    fiber[t].uc_stack.ss_size = stack_size;
    fiber[t].uc_link = &scheduler;
    makecontext(&fiber[t], run_body, 0);
    finished[t] = false;
  }
  for (bool any = true; any;) {
    any = false;
    for (unsigned t = 0; t < threads; ++t) {
      if (finished[t]) continue;
      threadIdx.x = t;
      swapcontext(&scheduler, &fiber[t]);
      any = any || !finished[t];
    }
  }
}

inline void run_grid(void (*kernel)(void**), void** arguments, unsigned grid_x, unsigned grid_y) {
  body = kernel;
  parameters = arguments;
  for (blockIdx.y = 0; blockIdx.y < grid_y; ++blockIdx.y) {
    for (blockIdx.x = 0; blockIdx.x < grid_x; ++blockIdx.x) run_block();
  }
}

}  // namespace emulation

inline void __syncthreads() {
  const unsigned self = threadIdx.x;
  swapcontext(&emulation::fiber[self], &emulation::scheduler);
}

/// What the threads of a warp hand to their tensor core; written in one round of the scheduler, read in the next.
struct EmulatedOperands {
  float a[4], b[2];
};
inline EmulatedOperands emulated_operands[2][emulation::threads];
inline int emulated_turn[emulation::threads];

inline float emulated_tf32(float x) {
  unsigned bits;
  std::memcpy(&bits, &x, sizeof(bits));
  bits &= 0xffffe000u;
  std::memcpy(&x, &bits, sizeof(x));
  return x;
}

/// c += a b; element (i, k) of a is register i / 8 + 2 (k / 4) of lane i % 8 * 4 + k % 4, element (k, j) of b register
/// k / 4 of lane 4 j + k % 4, and a lane has rows lane / 4 and + 8 and columns 2 (lane % 4) and + 1 of c.
inline void tensor_multiply_add(float (&c)[4], const float (&a)[4], float b0, float b1) {
  const unsigned self = threadIdx.x, warp = self / 32 * 32, lane = self % 32;
  EmulatedOperands* posted = emulated_operands[emulated_turn[self] ^= 1];
  posted[self] = {{a[0], a[1], a[2], a[3]}, {b0, b1}};
  __syncthreads();
  for (unsigned r = 0; r < 4; ++r) {
    const unsigned i = lane / 4 + r / 2 * 8, j = lane % 4 * 2 + r % 2;
    for (unsigned k = 0; k < 8; ++k) {
      const float left = posted[warp + i % 8 * 4 + k % 4].a[i / 8 + 2 * (k / 4)];
      const float right = posted[warp + 4 * j + k % 4].b[k / 4];
      c[r] += emulated_tf32(left) * emulated_tf32(right);
    }
  }
}

inline float exp2_instruction(float x) { return exp2f(x); }
inline float sqrt_instruction(float x) { return sqrtf(x); }
inline long long opaque(long long x) { return x; }
inline void atomicAdd(double* to, double value) { *to += value; }

template <class To, class From>
To emulated_bits(From from) {
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}
inline int __float_as_int(float x) { return emulated_bits<int>(x); }
inline float __int_as_float(int x) { return emulated_bits<float>(x); }
inline long long __double_as_longlong(double x) { return emulated_bits<long long>(x); }
inline double __longlong_as_double(long long x) { return emulated_bits<double>(x); }
