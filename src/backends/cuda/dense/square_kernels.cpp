#include "backends/cuda/dense/square_kernels.hpp"

#include <fmt/format.h>

#include "backends/cuda/source/kernel_text.hpp"
#include "backends/cuda/source/specification.hpp"

namespace gpcv::cuda {
namespace {

/// The side of the tiles in which a triangle is transposed: a warp reads and writes whole lines of memory.
constexpr Index side = 32;

enum : int { to_upper = 0, to_lower = 1, diagonal_out = 2, diagonal_in = 3 };

// The tasks are numbered as above. A diagonal tile is read as a whole before its other triangle is written.
const char* const square_text = R"text(
struct Arguments {
  double *a, *d;
  long long rows, stride;
  double added;
  int task, unused;
};

extern "C" __global__ void __launch_bounds__(THREADS) gpcv_kernel(const Arguments p) {
  __shared__ double tile[SIDE][SIDE + 1];
  if (p.task >= 2) {
    const long long i = static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x;
    if (i >= p.rows) return;
    double* a = p.a + i * p.stride + i;
    if (p.task == 2) {
      p.d[i] = *a;
    } else {
      *a = p.d[i] + p.added;
    }
    return;
  }
  if (blockIdx.x < blockIdx.y) return;
  const long long high = static_cast<long long>(blockIdx.x) * SIDE, low = static_cast<long long>(blockIdx.y) * SIDE;
  const long long from_row = p.task == 0 ? high : low, from_column = p.task == 0 ? low : high;
  const int lane = static_cast<int>(threadIdx.x) % SIDE, group = static_cast<int>(threadIdx.x) / SIDE;
  for (int c = group; c < SIDE; c += THREADS / SIDE) {
    const long long row = from_row + lane, column = from_column + c;
    if (row < p.rows && column < p.rows) tile[c][lane] = p.a[column * p.stride + row];
  }
  __syncthreads();
  for (int c = group; c < SIDE; c += THREADS / SIDE) {
    const long long row = from_column + lane, column = from_row + c;
    const bool wanted = p.task == 0 ? row < column : row > column;
    if (wanted && row < p.rows && column < p.rows) p.a[column * p.stride + row] = tile[lane][c];
  }
}
)text";

/// The struct Arguments of the source.
struct SquareArguments {
  Address a = 0, d = 0;
  long long rows = 0, stride = 0;
  double added = 0;
  int task = 0, unused = 0;
};

unsigned parts(Index rows, Index size) { return static_cast<unsigned>((rows + size - 1) / size); }

}  // namespace

std::string square_source() {
  return std::string(device_text) + fmt::format("constexpr int THREADS = {}, SIDE = {};\n", threads_per_block, side) +
         square_text + reduce_text;
}

SquareKernels::SquareKernels(Device& device) : device_(device), kernel_(device.kernel(square_source())) {}

void SquareKernels::run(int task, Address a, Index rows, Index stride, Address d, double added) const {
  if (rows == 0) return;
  SquareArguments arguments{a, d, rows, stride, added, task};
  void* parameters[] = {&arguments};
  const bool whole = task == to_upper || task == to_lower;
  const unsigned tiles = parts(rows, side);
  device_.launch(kernel_.product, whole ? tiles : parts(rows, threads_per_block), whole ? tiles : 1, parameters);
}

void SquareKernels::lower_to_upper(Address a, Index rows, Index stride) const { run(to_upper, a, rows, stride, 0, 0); }
void SquareKernels::upper_to_lower(Address a, Index rows, Index stride) const { run(to_lower, a, rows, stride, 0, 0); }
void SquareKernels::read_diagonal(Address a, Index rows, Index stride, Address d) const {
  run(diagonal_out, a, rows, stride, d, 0);
}
void SquareKernels::write_diagonal(Address a, Index rows, Index stride, Address d, double added) const {
  run(diagonal_in, a, rows, stride, d, added);
}

}  // namespace gpcv::cuda
