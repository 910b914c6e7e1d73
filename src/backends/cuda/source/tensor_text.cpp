#include "backends/cuda/source/kernel_text.hpp"

namespace gpcv::cuda {

const char* const tensor_item_text = R"text(
struct alignas(ALIGNMENT) Item {
  real c[COORDINATES];
};
)text";

// K v for many columns on tensor cores, which multiply numbers of 11 bits ("tf32"). Both k and v are split into high +
// low, and three of the four products are added; the omitted one is 2^-21 of k v. A thread evaluates k where the tensor
// core needs it, rows lane / 4 and column points lane % 4 of each 16 x 8 tile, so that no value passes through shared
// memory. Tensor cores truncate sums instead of rounding them, so they add no more than one tile.
const char* const tensor_text = R"text(
#if defined(__CUDACC_RTC__)
// c += a b, a: 16 x 8, b: 8 x 8, across the 32 threads of a warp
GPCV_DEVICE void tensor_multiply_add(float (&c)[4], const float (&a)[4], float b0, float b1) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(__float_as_int(a[0])), "r"(__float_as_int(a[1])), "r"(__float_as_int(a[2])), "r"(__float_as_int(a[3])),
        "r"(__float_as_int(b0)), "r"(__float_as_int(b1)));
}
#endif

constexpr unsigned HIGH_BITS = 0xffffe000u;
GPCV_DEVICE float high_part(float x) {
  return __int_as_float(static_cast<int>(static_cast<unsigned>(__float_as_int(x)) & HIGH_BITS));
}
GPCV_DEVICE float rounded_part(float x) {
  return __int_as_float(static_cast<int>((static_cast<unsigned>(__float_as_int(x)) + 0x1000u) & HIGH_BITS));
}

// v at column points lane % 4 and lane % 4 + 4 of a step of 8, right-hand side lane / 4 of a group of 8.
struct alignas(16) Fragment {
  float high[2], low[2];
};

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) gpcv_kernel(const Arguments p) {
  constexpr int GROUPS = COLUMNS / 8, STEPS = TILE / 8, ROW_TILES = 2;
  __shared__ Item points[TILE];
  __shared__ Fragment right[STEPS][GROUPS][32];
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, quarter = lane % 4;
  const int first = static_cast<int>(blockIdx.x) * THREADS + thread / 32 * 32 + lane / 4;
  RowPoint a[2 * ROW_TILES];
#pragma unroll
  for (int r = 0; r < 2 * ROW_TILES; ++r) {
    const int row = first + 8 * r;
    load_row(a[r], p, row < p.rows ? row : p.rows - 1);
  }
  const real scale = scale_of(p);
  const int begin = static_cast<int>(blockIdx.y) * p.chunk;
  const int end = begin + p.chunk < p.cols ? begin + p.chunk : p.cols;
  double* out = p.out + static_cast<long long>(blockIdx.y) * p.split_stride;
  for (int from = begin; from < end; from += TILE * TILES_IN_SUM) {
    float sum[ROW_TILES][GROUPS][4];
#pragma unroll
    for (int m = 0; m < ROW_TILES; ++m) {
#pragma unroll
      for (int g = 0; g < GROUPS; ++g) {
#pragma unroll
        for (int i = 0; i < 4; ++i) sum[m][g][i] = 0;
      }
    }
    const int to = from + TILE * TILES_IN_SUM < end ? from + TILE * TILES_IN_SUM : end;
    for (int at = from; at < to; at += TILE) {
      __syncthreads();
      for (int t = thread; t < TILE; t += THREADS) {
        Item b;
        load_coordinates(b, p, at + t);
        points[t] = b;
      }
#pragma unroll 12
      for (int e = thread; e < TILE * COLUMNS; e += THREADS) {
        const int j = e % TILE, c = e / TILE;
        const float v = p.v[c * p.col_stride + at + j], high = rounded_part(v);
        Fragment& f = right[j / 8][c / 8][c % 8 * 4 + j % 4];
        f.high[j / 4 % 2] = high;
        f.low[j / 4 % 2] = v - high;
      }
      __syncthreads();
      float part[ROW_TILES][GROUPS][4];
#pragma unroll
      for (int m = 0; m < ROW_TILES; ++m) {
#pragma unroll
        for (int g = 0; g < GROUPS; ++g) {
#pragma unroll
          for (int i = 0; i < 4; ++i) part[m][g][i] = 0;
        }
      }
#pragma unroll 1
      for (int step = 0; step < STEPS; ++step) {
        float high[ROW_TILES][4], low[ROW_TILES][4];
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const Item& b = points[step * 8 + half * 4 + quarter];
#pragma unroll
          for (int r = 0; r < 2 * ROW_TILES; ++r) {
            const float k = value(a[r], b, p, false);
            high[r / 2][half * 2 + r % 2] = high_part(k);
            low[r / 2][half * 2 + r % 2] = k - high_part(k);
          }
        }
        // Every sum once before any sum again: an addition waits for the last one to the same sum.
#pragma unroll
        for (int g = 0; g < GROUPS; ++g) {
          const Fragment& f = right[step][g][lane];
#pragma unroll
          for (int m = 0; m < ROW_TILES; ++m) tensor_multiply_add(part[m][g], low[m], f.high[0], f.high[1]);
        }
#pragma unroll
        for (int g = 0; g < GROUPS; ++g) {
          const Fragment& f = right[step][g][lane];
#pragma unroll
          for (int m = 0; m < ROW_TILES; ++m) tensor_multiply_add(part[m][g], high[m], f.low[0], f.low[1]);
        }
#pragma unroll
        for (int g = 0; g < GROUPS; ++g) {
          const Fragment& f = right[step][g][lane];
#pragma unroll
          for (int m = 0; m < ROW_TILES; ++m) tensor_multiply_add(part[m][g], high[m], f.high[0], f.high[1]);
        }
      }
#pragma unroll
      for (int m = 0; m < ROW_TILES; ++m) {
#pragma unroll
        for (int g = 0; g < GROUPS; ++g) {
#pragma unroll
          for (int i = 0; i < 4; ++i) sum[m][g][i] += part[m][g][i];
        }
      }
    }
    const long long stride = opaque(p.out_stride);
#pragma unroll
    for (int m = 0; m < ROW_TILES; ++m) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int row = first + m * 16 + i / 2 * 8;
        if (row >= p.rows) continue;
        double* y = out + (quarter * 2 + i % 2) * stride + row;
#pragma unroll
        for (int g = 0; g < GROUPS; ++g, y += 8 * stride) {
          add_to(y, static_cast<double>(sum[m][g][i]) * static_cast<double>(scale), from == begin);
        }
      }
    }
  }
}
)text";

}  // namespace gpcv::cuda
