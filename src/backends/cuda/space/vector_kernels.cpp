#include "backends/cuda/space/vector_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "backends/cuda/source/kernel_text.hpp"
#include "backends/cuda/source/specification.hpp"

namespace gpcv::cuda {
namespace {

constexpr Index rows_of_block = 2048;

// The tasks are numbered as in VectorTask.
const char* const vector_text = R"text(
struct Arguments {
  const double *a, *b;
  double *x, *y;
  const double* noise;
  const char* training;
  const int *system, *index;
  const double* factor;
  double* sums;
  long long rows, a_stride, stride, out_stride;
  int task, columns, first, single, sum_columns, unused;
};

GPCV_DEVICE void write_working(const Arguments& p, long long at, double value) {
  if (p.single) {
    reinterpret_cast<float*>(p.y)[at] = static_cast<float>(value);
  } else {
    p.y[at] = value;
  }
}

// The sum over the threads of a block, in a fixed order.
GPCV_DEVICE void leave_sum(double value, double* to) {
  __shared__ double part[THREADS];
  part[threadIdx.x] = value;
  __syncthreads();
  for (int half = THREADS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *to = part[0];
  __syncthreads();
}

extern "C" __global__ void __launch_bounds__(THREADS) gpcv_kernel(const Arguments p) {
  const int c = blockIdx.y;
  const long long begin = static_cast<long long>(blockIdx.x) * ROWS_OF_BLOCK;
  const bool whole = p.task == 0 || p.task == 1;  // these fill what is beyond the rows as well
  const long long all = whole ? p.out_stride : p.rows;
  const long long end = begin + ROWS_OF_BLOCK < all ? begin + ROWS_OF_BLOCK : all;
  const double* a = p.a + c * p.a_stride;
  const double* b = p.b + c * p.stride;
  double* y = p.y + c * p.out_stride;
  const char* trains = p.training != nullptr && p.system != nullptr ? p.training + p.system[c] * p.rows : nullptr;
  const double f = p.factor != nullptr ? p.factor[c] : 0;
  double first_sum = 0, second_sum = 0;
  double* x = p.task == 8 ? p.x + p.index[c] * p.out_stride : nullptr;
  if (p.task == 3 && p.index != nullptr) a = p.a + p.index[c] * p.a_stride;
  for (long long i = begin + threadIdx.x; i < end; i += THREADS) {
    switch (p.task) {
      case 0:
        write_working(p, c * p.out_stride + i, i < p.rows && c < p.columns ? a[i] : 0);
        break;
      case 1:
        write_working(p, c * p.out_stride + i, i == p.first + c && i < p.rows ? 1 : 0);
        break;
      case 2:
        y[i] = 0;
        break;
      case 3:
        y[i] = a[i];
        break;
      case 4:
        y[i] += a[i];
        break;
      case 5:
        y[i] = a[p.index[i]];
        break;
      case 6:
        y[i] = a[i] / p.noise[i];
        break;
      case 7: {
        const double q = trains[i] ? a[i] + p.noise[i] * b[i] : 0;
        y[i] = q;
        first_sum += b[i] * q;
        break;
      }
      case 8: {
        // A column without a step may hold anything.
        if (f == 0) break;
        const double r = y[i] - f * b[i];
        x[i] += f * a[i];
        y[i] = r;
        first_sum += r * r;
        second_sum += a[i] * a[i];
        break;
      }
      case 9: {
        double z = a[i];
        if (p.b != nullptr && trains[i]) z -= b[i];
        if (p.noise != nullptr) z /= p.noise[i];
        y[i] = z;
        first_sum += a[i] * z;
        break;
      }
      case 10:
        y[i] = a[i] + f * y[i];
        break;
      case 11: {
        double sum = 0;
        for (int k = 0; k < p.columns; ++k) sum += p.a[k * p.a_stride + i] * p.a[k * p.a_stride + i];
        y[i] = sum;
        break;
      }
    }
  }
  if (p.sums == nullptr) return;
  double* sums = p.sums + static_cast<long long>(blockIdx.x) * 2 * p.sum_columns + c;
  leave_sum(first_sum, sums);
  leave_sum(second_sum, sums + p.sum_columns);
}
)text";

unsigned blocks_for(Index rows) { return static_cast<unsigned>((rows + rows_of_block - 1) / rows_of_block); }

}  // namespace

std::string vector_source() {
  return std::string(device_text) +
         fmt::format("constexpr int THREADS = {}, ROWS_OF_BLOCK = {};\n", threads_per_block, rows_of_block) +
         vector_text + reduce_text;
}

VectorKernels::VectorKernels(Device& device) : device_(device), kernel_(device.kernel(vector_source())) {}

void VectorKernels::run(VectorTask task, VectorArguments arguments, Index grid_rows, Index grid_columns) const {
  if (grid_rows == 0 || grid_columns == 0) return;
  arguments.task = static_cast<int>(task);
  void* parameters[] = {&arguments};
  device_.launch(kernel_.product, blocks_for(grid_rows), static_cast<unsigned>(grid_columns), parameters);
}

Buffer VectorKernels::room_for_sums(Index rows, Index columns) const {
  return device_.allocate(static_cast<std::size_t>(std::max(1U, blocks_for(rows))) * 2 *
                          static_cast<std::size_t>(columns) * sizeof(double));
}

Vector VectorKernels::sums(const Buffer& room, Index rows, Index columns, int kinds) const {
  Vector out = Vector::Zero(kinds * columns);
  if (rows == 0 || columns == 0) return out;
  Address address = room.address();
  auto count = static_cast<long long>(2 * columns), stride = count;
  int splits = static_cast<int>(blocks_for(rows));
  void* parameters[] = {&address, &count, &stride, &splits};
  if (splits > 1) {
    device_.launch(kernel_.reduce, static_cast<unsigned>((count + threads_per_block - 1) / threads_per_block), 1,
                   parameters);
  }
  device_.download(out.data(), room, static_cast<std::size_t>(out.size()) * sizeof(double));
  device_.synchronize();
  return out;
}

}  // namespace gpcv::cuda
