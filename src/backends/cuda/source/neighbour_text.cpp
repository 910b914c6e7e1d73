#include "backends/cuda/source/kernel_text.hpp"

namespace gpcv::cuda {

// A block of threads finds the p.chunk column points of largest k^2 u for its row point, in ascending order: the
// indices in v, k in out. The bits of non-negative numbers are ordered like the numbers, so the threshold is found by
// bisection over 64 bits, in some thirty passes over all values. The values are stored in p.scratch; without it, k is
// evaluated in every pass.
const char* const choose_text = R"text(
struct Worth {
  double k;
  unsigned long long bits;  // of k^2 u
};

GPCV_DEVICE Worth worth(const RowPoint& a, const Arguments& p, double scale, int i) {
  Item b;
  load_coordinates(b, p, i);
  const double k = scale * value(a, b, p, false);
  return {k, static_cast<unsigned long long>(__double_as_longlong(k * k * p.u[i]))};
}

// The sum over the threads, told to all of them.
GPCV_DEVICE int sum_of_all(int value, int* part) {
  const int thread = static_cast<int>(threadIdx.x);
  __syncthreads();
  part[thread] = value;
  for (int half = THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) part[thread] += part[thread + half];
  }
  __syncthreads();
  return part[0];
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) gpcv_kernel(const Arguments p) {
  __shared__ int part[THREADS], greater_of[THREADS], equal_of[THREADS];
  const int thread = static_cast<int>(threadIdx.x);
  const double scale = scale_of(p);
  RowPoint a;
  load_row(a, p, blockIdx.x);
  unsigned long long* kept =
      p.scratch == nullptr
          ? nullptr
          : reinterpret_cast<unsigned long long*>(p.scratch + static_cast<long long>(blockIdx.x) * p.split_stride);
  if (kept != nullptr) {
    for (int i = thread; i < p.cols; i += THREADS) kept[i] = worth(a, p, scale, i).bits;
  }
  // At least p.chunk points are worth `low`, fewer than that are worth `high`.
  unsigned long long low = 0, high = 0x7ff0000000000001ULL;
  while (high - low > 1) {
    const unsigned long long middle = low + (high - low) / 2;
    int count = 0;
    for (int i = thread; i < p.cols; i += THREADS) {
      count += (kept != nullptr ? kept[i] : worth(a, p, scale, i).bits) >= middle ? 1 : 0;
    }
    count = sum_of_all(count, part);
    if (count >= p.chunk) {
      low = middle;
    } else {
      high = middle;
    }
    if (count == p.chunk) break;
  }
  // Each thread has a run of points of its own; of those worth just `low` the first are taken.
  const int run = (p.cols + THREADS - 1) / THREADS;
  const int begin = thread * run < p.cols ? thread * run : p.cols, end = begin + run < p.cols ? begin + run : p.cols;
  int greater = 0, equal = 0;
  for (int i = begin; i < end; ++i) {
    const unsigned long long bits = kept != nullptr ? kept[i] : worth(a, p, scale, i).bits;
    greater += bits > low ? 1 : 0;
    equal += bits == low ? 1 : 0;
  }
  greater_of[thread] = greater;
  equal_of[thread] = equal;
  int wanted = p.chunk - sum_of_all(greater, part);
  int at = 0, equal_before = 0;
  for (int t = 0; t < thread; ++t) {
    at += greater_of[t];
    equal_before += equal_of[t];
  }
  at += equal_before < wanted ? equal_before : wanted;
  wanted -= equal_before;
  int* index = reinterpret_cast<int*>(const_cast<real*>(p.v)) + static_cast<long long>(blockIdx.x) * p.chunk;
  double* cross = p.out + static_cast<long long>(blockIdx.x) * p.chunk;
  for (int i = begin; i < end; ++i) {
    if (kept != nullptr && kept[i] < low) continue;
    const Worth w = worth(a, p, scale, i);
    if (w.bits < low || (w.bits == low && wanted-- <= 0)) continue;
    index[at] = i;
    cross[at] = w.k;
    ++at;
  }
}
)text";

// A block of threads factorises the matrix of one test point's neighbours, one column of tiles after another. Each tile
// is evaluated, reduced by the products of the tiles to its left and multiplied with the inverse of its column's
// diagonal tile. The inverse replaces the diagonal tile, so that substitutions become products too.
const char* const neighbours_text = R"text(
constexpr int SIDE = 64, DEPTH = 8, THREAD_ROWS = 4, THREAD_COLUMNS = 8, ACROSS = SIDE / THREAD_ROWS;

// Tile (i, j), j <= i: element (r, c) at c * SIDE + r.
GPCV_DEVICE long long tile_at(int i, int j) {
  return (static_cast<long long>(i) * (i + 1) / 2 + j) * (SIDE * SIDE);
}
GPCV_DEVICE int row_of(int r) { return static_cast<int>(threadIdx.x) % ACROSS + r * ACROSS; }
GPCV_DEVICE int column_of(int c) { return static_cast<int>(threadIdx.x) / ACROSS * THREAD_COLUMNS + c; }

struct Shared {
  double left[DEPTH][SIDE], right[DEPTH][SIDE];
  double corner[SIDE][SIDE + 1];
  double inverse[SIDE];  // of the corner's diagonal
};

// sum -= left * right^T; what the next products need is on its way from memory meanwhile.
GPCV_DEVICE void subtract_product(double (&sum)[THREAD_ROWS][THREAD_COLUMNS], const double* left, const double* right,
                                  Shared& s) {
  constexpr int OWN = DEPTH * SIDE / THREADS;
  const int thread = static_cast<int>(threadIdx.x);
  double next_left[OWN], next_right[OWN];
  __syncthreads();
#pragma unroll
  for (int t = 0; t < OWN; ++t) {
    next_left[t] = left[thread + t * THREADS];
    next_right[t] = right[thread + t * THREADS];
  }
  for (int from = 0; from < SIDE; from += DEPTH) {
    if (from > 0) __syncthreads();
#pragma unroll
    for (int t = 0; t < OWN; ++t) {
      const int at = thread + t * THREADS;
      s.left[at / SIDE][at % SIDE] = next_left[t];
      s.right[at / SIDE][at % SIDE] = next_right[t];
    }
    __syncthreads();
    if (from + DEPTH < SIDE) {
#pragma unroll
      for (int t = 0; t < OWN; ++t) {
        next_left[t] = left[(from + DEPTH) * SIDE + thread + t * THREADS];
        next_right[t] = right[(from + DEPTH) * SIDE + thread + t * THREADS];
      }
    }
#pragma unroll
    for (int k = 0; k < DEPTH; ++k) {
      double a[THREAD_ROWS], b[THREAD_COLUMNS];
#pragma unroll
      for (int r = 0; r < THREAD_ROWS; ++r) a[r] = s.left[k][row_of(r)];
#pragma unroll
      for (int c = 0; c < THREAD_COLUMNS; ++c) b[c] = s.right[k][column_of(c)];
#pragma unroll
      for (int r = 0; r < THREAD_ROWS; ++r) {
#pragma unroll
        for (int c = 0; c < THREAD_COLUMNS; ++c) sum[r][c] = fma(-a[r], b[c], sum[r][c]);
      }
    }
  }
}

// K_SS + noise, continued by the identity.
GPCV_DEVICE void evaluate(double (&sum)[THREAD_ROWS][THREAD_COLUMNS], const Arguments& p, const int* index, int i,
                          int j) {
  const double scale = scale_of(p);
  RowPoint a[THREAD_ROWS];
#pragma unroll
  for (int r = 0; r < THREAD_ROWS; ++r) {
    const int row = i * SIDE + row_of(r);
    load_row(a[r], p, index[row < p.cols ? row : 0]);
  }
#pragma unroll
  for (int c = 0; c < THREAD_COLUMNS; ++c) {
    const int column = j * SIDE + column_of(c);
    Item b;
    load_coordinates(b, p, index[column < p.cols ? column : 0]);
#pragma unroll
    for (int r = 0; r < THREAD_ROWS; ++r) {
      const int row = i * SIDE + row_of(r);
      double k = scale * value(a[r], b, p, false);
      if (row >= p.cols || column >= p.cols) k = 0;
      if (row == column) k = row < p.cols ? k + p.noise : 1;
      sum[r][c] = k;
    }
  }
}

GPCV_DEVICE void store(double (&sum)[THREAD_ROWS][THREAD_COLUMNS], double sign, double* tile) {
#pragma unroll
  for (int c = 0; c < THREAD_COLUMNS; ++c) {
#pragma unroll
    for (int r = 0; r < THREAD_ROWS; ++r) tile[column_of(c) * SIDE + row_of(r)] = sign * sum[r][c];
  }
}

// L with L L^T = corner, then its inverse W, transposed above the diagonal; false for all threads when a pivot is bad.
GPCV_DEVICE bool factorise(Shared& s) {
  const int thread = static_cast<int>(threadIdx.x);
  for (int k = 0; k < SIDE; ++k) {
    const double pivot = s.corner[k][k];
    if (!(pivot > 0)) return false;
    const double over = 1 / sqrt(pivot);
    if (thread == k) s.inverse[k] = over;
    if (thread > k && thread < SIDE) s.corner[thread][k] *= over;
    __syncthreads();
    const int r = thread % SIDE;
    for (int c = k + 1 + thread / SIDE; c <= r; c += THREADS / SIDE) {
      s.corner[r][c] = fma(-s.corner[r][k], s.corner[c][k], s.corner[r][c]);
    }
    __syncthreads();
  }
  if (thread < SIDE) {
    // W(i, t) = -W(i, i) sum over m of L(i, m) W(m, t)
    const double own = s.inverse[thread];
    for (int i = thread + 1; i < SIDE; ++i) {
      double sum = s.corner[i][thread] * own;
      for (int m = thread + 1; m < i; ++m) sum = fma(s.corner[i][m], s.corner[thread][m], sum);
      s.corner[thread][i] = -sum * s.inverse[i];
    }
  }
  __syncthreads();
  return true;
}

// The two halves of the threads' sums, for the rows of a tile.
GPCV_DEVICE double joined(double sum, Shared& s) {
  const int thread = static_cast<int>(threadIdx.x);
  double* part = &s.left[0][0];
  __syncthreads();
  part[thread] = sum;
  __syncthreads();
  return part[thread % SIDE] + part[thread % SIDE + SIDE];
}

// sum over the columns of this thread's half of tile(r, c) x(c)
GPCV_DEVICE double half_product(const double* tile, const double* x) {
  const int r = static_cast<int>(threadIdx.x) % SIDE, first = static_cast<int>(threadIdx.x) / SIDE * (SIDE / 2);
  double sum = 0;
  for (int c = first; c < first + SIDE / 2; ++c) sum = fma(tile[c * SIDE + r], x[c], sum);
  return sum;
}

// |L^-1 k|^2; x has room for the padded k.
GPCV_DEVICE double squared_solution(const double* tiles, int sides, const double* k, int count, double* x, Shared& s) {
  const int thread = static_cast<int>(threadIdx.x), r = thread % SIDE;
  double squared = 0;
  for (int j = 0; j < sides; ++j) {
    double sum = 0;
    for (int m = 0; m < j; ++m) sum += half_product(tiles + tile_at(j, m), x + m * SIDE);
    const double left = (j * SIDE + r < count ? k[j * SIDE + r] : 0) - joined(sum, s);
    if (thread < SIDE) s.inverse[r] = left;
    __syncthreads();
    const double solved = joined(half_product(tiles + tile_at(j, j), s.inverse), s);
    if (thread < SIDE) {
      x[j * SIDE + r] = solved;
      squared = fma(solved, solved, squared);
    }
    __syncthreads();
  }
  double* part = &s.right[0][0];
  part[thread] = squared;
  __syncthreads();
  double total = 0;
  for (int t = 0; t < SIDE; ++t) total += part[t];
  return total;
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) gpcv_kernel(const Arguments p) {
  __shared__ Shared s;
  const int* index = reinterpret_cast<const int*>(p.v) + static_cast<long long>(blockIdx.x) * p.cols;
  double* tiles = p.scratch + static_cast<long long>(blockIdx.x) * p.split_stride;
  const int sides = (p.cols + SIDE - 1) / SIDE;
  for (int j = 0; j < sides; ++j) {
    for (int i = j; i < sides; ++i) {
      double sum[THREAD_ROWS][THREAD_COLUMNS];
      evaluate(sum, p, index, i, j);
      for (int m = 0; m < j; ++m) subtract_product(sum, tiles + tile_at(i, m), tiles + tile_at(j, m), s);
      double* tile = tiles + tile_at(i, j);
      if (i > j) {
        store(sum, 1, tile);
#pragma unroll
        for (int r = 0; r < THREAD_ROWS; ++r) {
#pragma unroll
          for (int c = 0; c < THREAD_COLUMNS; ++c) sum[r][c] = 0;
        }
        subtract_product(sum, tile, tiles + tile_at(j, j), s);
        store(sum, -1, tile);
        continue;
      }
#pragma unroll
      for (int r = 0; r < THREAD_ROWS; ++r) {
#pragma unroll
        for (int c = 0; c < THREAD_COLUMNS; ++c) s.corner[row_of(r)][column_of(c)] = sum[r][c];
      }
      __syncthreads();
      if (!factorise(s)) {
        if (threadIdx.x == 0) p.out[blockIdx.x] = __longlong_as_double(0x7ff8000000000000LL);
        return;
      }
      for (int t = static_cast<int>(threadIdx.x); t < SIDE * SIDE; t += THREADS) {
        const int c = t / SIDE, r = t % SIDE;
        tile[t] = r < c ? 0 : (r == c ? s.inverse[c] : s.corner[c][r]);
      }
    }
  }
  __syncthreads();
  const double squared = squared_solution(tiles, sides, p.u + static_cast<long long>(blockIdx.x) * p.cols, p.cols,
                                          tiles + tile_at(sides, 0), s);
  if (threadIdx.x == 0) p.out[blockIdx.x] = squared;
}
)text";

}  // namespace gpcv::cuda
