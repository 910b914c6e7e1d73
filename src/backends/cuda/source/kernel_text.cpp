#include "backends/cuda/source/kernel_text.hpp"

namespace gpcv::cuda {

// Each function is one instruction. `ex2.approx` has an error of 2 ulp; the `approx` instructions flush denormal
// numbers to 0.
const char* const device_text = R"text(
#if defined(__CUDACC_RTC__)
#define GPCV_DEVICE static __device__ __forceinline__
GPCV_DEVICE float exp2_instruction(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
GPCV_DEVICE float sqrt_instruction(float x) {
  float y;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
// What the compiler knows nothing of it does not compute ahead of a loop and keep in registers.
GPCV_DEVICE long long opaque(long long x) {
  asm volatile("" : "+l"(x));
  return x;
}
#endif
)text";

const char* const constant_text = R"text(
typedef {real} real;
constexpr int THREADS = {threads};
constexpr int BLOCKS = {blocks};            // that a multiprocessor holds: bounds the registers
constexpr int COLUMNS = {columns};          // right-hand sides of this pass
constexpr int ROWS = {rows};                // row points of a thread
constexpr int TILE = {tile};                // column points in shared memory
constexpr int TILES_IN_SUM = {tiles};       // between two additions in double
constexpr int UNROLL = {unroll};            // pairs a thread has under way, over ROWS
constexpr int THETAS = {thetas};
constexpr int POLYNOMIAL_ROWS = {polynomial_rows};
constexpr int COORDINATES = {coordinates};
constexpr int ALIGNMENT = {alignment};
typedef {weights};
)text";

const char* const polynomial_text = R"text(
constexpr real ln2 = real(0.693147180559945309417), log2e = real(1.442695040888963407360), third = real(1) / real(3);

GPCV_DEVICE float fma_(float a, float b, float c) {{ return fmaf(a, b, c); }}
GPCV_DEVICE double fma_(double a, double b, double c) {{ return fma(a, b, c); }}
GPCV_DEVICE float min_(float a, float b) {{ return fminf(a, b); }}
GPCV_DEVICE double min_(double a, double b) {{ return fmin(a, b); }}
GPCV_DEVICE float max_(float a, float b) {{ return fmaxf(a, b); }}
GPCV_DEVICE double max_(double a, double b) {{ return fmax(a, b); }}
GPCV_DEVICE real product(real a, real b) {{ return a * b; }}
GPCV_DEVICE float power_of_low_bits(float x) {{ return __int_as_float(__float_as_int(x) << 23); }}
GPCV_DEVICE double power_of_low_bits(double x) {{
  return __longlong_as_double(static_cast<long long>(static_cast<unsigned long long>(__double_as_longlong(x)) << 52));
}}

// x = n + f, n the nearest integer: 2^x = 2^n polynomial(f). Adding the rounder leaves bias + n in the low bits.
GPCV_DEVICE real exp2_polynomial(real x) {{
  x = max_(x, {lowest});
  const real shifted = x + {rounder};
  const real f = x - (shifted - {rounder});
  return ({exp2}) * power_of_low_bits(shifted);
}}
GPCV_DEVICE float exp2_unit(float x) {{ return exp2_instruction(x); }}
GPCV_DEVICE double exp2_unit(double x) {{ return exp2_polynomial(x); }}
GPCV_DEVICE real exp2_chosen(real x, bool polynomial) {{ return polynomial ? exp2_polynomial(x) : exp2_unit(x); }}
GPCV_DEVICE float sqrt_unit(float x) {{ return sqrt_instruction(x); }}
GPCV_DEVICE double sqrt_unit(double x) {{ return sqrt(x); }}
GPCV_DEVICE float log2_of_one_plus(float z) {{ return log2e * log1pf(z); }}
GPCV_DEVICE double log2_of_one_plus(double z) {{ return log2e * log1p(z); }}

// u - round(u): a difference of two phases brought back to [-1/2, 1/2], exactly.
GPCV_DEVICE float reduced_turn(float u) {{ return u - rintf(u); }}
GPCV_DEVICE double reduced_turn(double u) {{ return u - rint(u); }}
// sin^2(pi u) = u^2 P(u^2 - 1/8) for u in [-1/2, 1/2]
GPCV_DEVICE real sin_squared_pi(real u) {{
  const real w = u * u, z = w - real(0.125);
  return w * ({sin_squared_pi});
}}
// sin(2 pi u) for u in [-1/2, 1/2]: with the sign of u, sin(pi x) = x P(x^2) at x = min(2|u|, 1 - 2|u|)
GPCV_DEVICE real sin_two_pi(real u) {{
  const real twice = u < 0 ? -(u + u) : u + u;
  const real x = min_(twice, 1 - twice), z = x * x;
  const real sine = x * ({sin_pi});
  return u < 0 ? -sine : sine;
}}
)text";

const char* const arguments_text = R"text(
struct Arguments {
  const real* row_x;  // coordinate c of row point i at c * row_stride + i
  const real* col_x;
  const real* u;  // column c at c * row_stride
  const real* v;  // column c at c * col_stride
  double* out;
  long long row_stride, col_stride, out_stride, split_stride;
  int rows, cols, chunk, unused;
  double* scratch;
  double noise;
  Weights weights;
};

// The one thread that owns a result adds to it, in order: an addition that memory carries out holds no register and
// waits for nothing.
GPCV_DEVICE void add_to(double* y, double sum, bool first) {
  if (first) {
    *y = sum;
  } else {
    atomicAdd(y, sum);
  }
}

struct RowPoint {
  real c[COORDINATES];
};

)text";

const char* const item_text = R"text(
struct alignas(ALIGNMENT) Item {
  real c[COORDINATES];
  real v[COLUMNS];
};
)text";

// A thread keeps ROWS points and their sums in registers; a block iterates over tiles of column points in shared
// memory. The thread that owns a sum adds it to memory in double after TILE * TILES_IN_SUM products.
const char* const apply_text = R"text(
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) gpcv_kernel(const Arguments p) {
  __shared__ Item tile[TILE];
  const int first = static_cast<int>(blockIdx.x) * (THREADS * ROWS) + static_cast<int>(threadIdx.x);
  RowPoint a[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    const int row = first + r * THREADS;
    load_row(a[r], p, row < p.rows ? row : p.rows - 1);
  }
  const real scale = scale_of(p);
  const int begin = static_cast<int>(blockIdx.y) * p.chunk;
  const int end = begin + p.chunk < p.cols ? begin + p.chunk : p.cols;
  double* out = p.out + static_cast<long long>(blockIdx.y) * p.split_stride;
  for (int from = begin; from < end; from += TILE * TILES_IN_SUM) {
    real sum[ROWS][COLUMNS];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
#pragma unroll
      for (int c = 0; c < COLUMNS; ++c) sum[r][c] = 0;
    }
    const int to = from + TILE * TILES_IN_SUM < end ? from + TILE * TILES_IN_SUM : end;
    for (int at = from; at < to; at += TILE) {
      __syncthreads();
      for (int t = static_cast<int>(threadIdx.x); t < TILE; t += THREADS) {
        Item b;
        load_coordinates(b, p, at + t);
#pragma unroll
        for (int c = 0; c < COLUMNS; ++c) b.v[c] = p.v[c * p.col_stride + at + t];
        tile[t] = b;
      }
      __syncthreads();
#pragma unroll UNROLL
      for (int t = 0; t < TILE; ++t) {
        const Item& b = tile[t];
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
          const real k = value(a[r], b, p, r < POLYNOMIAL_ROWS);
#pragma unroll
          for (int c = 0; c < COLUMNS; ++c) sum[r][c] = fma_(k, b.v[c], sum[r][c]);
        }
      }
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      const int row = first + r * THREADS;
      if (row >= p.rows) continue;
      double* y = out + row;
      const long long stride = opaque(p.out_stride);
#pragma unroll
      for (int c = 0; c < COLUMNS; ++c, y += stride) {
        add_to(y, static_cast<double>(sum[r][c]) * static_cast<double>(scale), from == begin);
      }
    }
  }
}
)text";

// Neighbouring threads have neighbouring rows, so that a warp writes whole lines of memory.
const char* const entries_text = R"text(
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) gpcv_kernel(const Arguments p) {
  __shared__ Item tile[TILE];
  const int first = static_cast<int>(blockIdx.x) * (THREADS * ROWS) + static_cast<int>(threadIdx.x);
  RowPoint a[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    const int row = first + r * THREADS;
    load_row(a[r], p, row < p.rows ? row : p.rows - 1);
  }
  const real scale = scale_of(p);
  const int begin = static_cast<int>(blockIdx.y) * p.chunk;
  const int end = begin + p.chunk < p.cols ? begin + p.chunk : p.cols;
  for (int at = begin; at < end; at += TILE) {
    __syncthreads();
    for (int t = static_cast<int>(threadIdx.x); t < TILE; t += THREADS) load_coordinates(tile[t], p, at + t);
    __syncthreads();
    const int count = at + TILE < end ? TILE : end - at;
#pragma unroll UNROLL
    for (int t = 0; t < count; ++t) {
      double* y = p.out + (at + t) * p.out_stride;
#pragma unroll
      for (int r = 0; r < ROWS; ++r) {
        const int row = first + r * THREADS;
        if (row < p.rows) y[row] = static_cast<double>(scale * value(a[r], tile[t], p, false));
      }
    }
  }
}
)text";

// The derivatives have THETAS results for each column: column t * COLUMNS + c is derivative t of right-hand side c.
const char* const derivatives_text = R"text(
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) gpcv_kernel(const Arguments p) {
  __shared__ Item tile[TILE];
  const int first = static_cast<int>(blockIdx.x) * (THREADS * ROWS) + static_cast<int>(threadIdx.x);
  RowPoint a[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    const int row = first + r * THREADS;
    load_row(a[r], p, row < p.rows ? row : p.rows - 1);
  }
  const int begin = static_cast<int>(blockIdx.y) * p.chunk;
  const int end = begin + p.chunk < p.cols ? begin + p.chunk : p.cols;
  double* out = p.out + static_cast<long long>(blockIdx.y) * p.split_stride;
  for (int from = begin; from < end; from += TILE * TILES_IN_SUM) {
    real sum[ROWS][THETAS][COLUMNS];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
#pragma unroll
      for (int t = 0; t < THETAS; ++t) {
#pragma unroll
        for (int c = 0; c < COLUMNS; ++c) sum[r][t][c] = 0;
      }
    }
    const int to = from + TILE * TILES_IN_SUM < end ? from + TILE * TILES_IN_SUM : end;
    for (int at = from; at < to; at += TILE) {
      __syncthreads();
      for (int t = static_cast<int>(threadIdx.x); t < TILE; t += THREADS) {
        Item b;
        load_coordinates(b, p, at + t);
#pragma unroll
        for (int c = 0; c < COLUMNS; ++c) b.v[c] = p.v[c * p.col_stride + at + t];
        tile[t] = b;
      }
      __syncthreads();
#pragma unroll UNROLL
      for (int j = 0; j < TILE; ++j) {
        const Item& b = tile[j];
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
          real g[THETAS];
          gradient(a[r], b, p, real(1), g);
#pragma unroll
          for (int t = 0; t < THETAS; ++t) {
#pragma unroll
            for (int c = 0; c < COLUMNS; ++c) sum[r][t][c] = fma_(g[t], b.v[c], sum[r][t][c]);
          }
        }
      }
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      const int row = first + r * THREADS;
      if (row >= p.rows) continue;
      double* y = out + row;
      const long long stride = opaque(p.out_stride);
#pragma unroll
      for (int t = 0; t < THETAS; ++t) {
#pragma unroll
        for (int c = 0; c < COLUMNS; ++c, y += stride) {
          add_to(y, static_cast<double>(sum[r][t][c]), from == begin);
        }
      }
    }
  }
}
)text";

// The contraction is a reverse sweep with the adjoint sum_c u_ic v_jc of each pair; a block writes THETAS sums, added
// in a fixed order.
const char* const contract_text = R"text(
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) gpcv_kernel(const Arguments p) {
  __shared__ Item tile[TILE];
  __shared__ double sums[THREADS];
  const int thread = static_cast<int>(threadIdx.x);
  const int first = static_cast<int>(blockIdx.x) * (THREADS * ROWS) + thread;
  RowPoint a[ROWS];
  real u[ROWS][COLUMNS];
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    const int row = first + r * THREADS;
    load_row(a[r], p, row < p.rows ? row : p.rows - 1);
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) u[r][c] = row < p.rows ? p.u[c * p.row_stride + row] : real(0);
  }
  const int begin = static_cast<int>(blockIdx.y) * p.chunk;
  const int end = begin + p.chunk < p.cols ? begin + p.chunk : p.cols;
  double total[THETAS];
#pragma unroll
  for (int t = 0; t < THETAS; ++t) total[t] = 0;
  for (int at = begin; at < end; at += TILE) {
    __syncthreads();
    for (int t = thread; t < TILE; t += THREADS) {
      Item b;
      load_coordinates(b, p, at + t);
#pragma unroll
      for (int c = 0; c < COLUMNS; ++c) b.v[c] = p.v[c * p.col_stride + at + t];
      tile[t] = b;
    }
    __syncthreads();
    real g[THETAS];
#pragma unroll
    for (int t = 0; t < THETAS; ++t) g[t] = 0;
#pragma unroll UNROLL
    for (int j = 0; j < TILE; ++j) {
      const Item& b = tile[j];
#pragma unroll
      for (int r = 0; r < ROWS; ++r) {
        real adjoint = u[r][0] * b.v[0];
#pragma unroll
        for (int c = 1; c < COLUMNS; ++c) adjoint = fma_(u[r][c], b.v[c], adjoint);
        gradient(a[r], b, p, adjoint, g);
      }
    }
#pragma unroll
    for (int t = 0; t < THETAS; ++t) total[t] += static_cast<double>(g[t]);
  }
  double* out = p.out + static_cast<long long>(blockIdx.y) * p.split_stride + static_cast<long long>(blockIdx.x) * THETAS;
  for (int t = 0; t < THETAS; ++t) {
    __syncthreads();
    sums[thread] = total[t];
    for (int half = THREADS / 2; half > 0; half /= 2) {
      __syncthreads();
      if (thread < half) sums[thread] += sums[thread + half];
    }
    if (thread == 0) out[t] = sums[0];
  }
}
)text";

const char* const reduce_text = R"text(
extern "C" __global__ void gpcv_reduce(double* out, long long count, long long split_stride, int splits) {
  const long long i = static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x;
  if (i >= count) return;
  double sum = out[i];
  for (int s = 1; s < splits; ++s) sum += out[s * split_stride + i];
  out[i] = sum;
}
)text";

}  // namespace gpcv::cuda
