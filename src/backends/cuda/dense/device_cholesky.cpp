#include "backends/cuda/dense/device_cholesky.hpp"

#include <cmath>

#include "backends/cuda/space/fold_buffers.hpp"
#include "gpcv/error.hpp"
#include "operators/dense_factor.hpp"

namespace gpcv::cuda {
namespace {

/// Rows of the triangles at which halving ends: these take a hundredth of the operations of 15 000 rows.
constexpr Index few = 512;

/// The first of two parts, a multiple of `few`, so that all triangles but the last have as many rows.
Index half_of(Index size) { return (size / 2 + few - 1) / few * few; }

const Blas& blas_of(Device& device) {
  const Blas* blas = Blas::instance(device);
  if (blas == nullptr || !blas->wide()) throw DeviceError("no cuBLAS of CUDA 12 or newer starts on the device");
  return *blas;
}

const Lapack& lapack_of(Device& device) {
  const Lapack* lapack = Lapack::instance(device);
  if (lapack == nullptr) throw DeviceError("cuSOLVER does not start on the device");
  return *lapack;
}

}  // namespace

DenseTools::DenseTools()
    : device(Device::instance()), blas(blas_of(device)), lapack(lapack_of(device)), vectors(device), squares(device) {}

bool has_dense_tools() { return Blas::found_wide() && Lapack::found(); }

DeviceCholesky::DeviceCholesky(const DenseTools& tools, Buffer matrix, Index size, double noise)
    : tools_(tools), matrix_(std::move(matrix)), size_(size) {
  if (size == 0) return;
  Device& device = tools.device;
  const SquareKernels& squares = tools.squares;
  const Buffer diagonal = device.allocate(bytes_of(size, 1));
  squares.read_diagonal(matrix_.address(), size, size, diagonal.address());
  Vector values(size);
  device.download(values.data(), diagonal, bytes_of(size, 1));
  device.synchronize();
  const double scale = finite_mean(values) + noise;
  for (const double relative : jitters) {
    // The upper triangle keeps the matrix for the next jitter.
    if (relative > 0) squares.upper_to_lower(matrix_.address(), size, size);
    jitter_ = relative * scale;
    squares.write_diagonal(matrix_.address(), size, size, diagonal.address(), noise + jitter_);
    if (!tools.lapack.factorise(size, matrix_.address(), size)) continue;
    const Buffer pivots = device.allocate(bytes_of(size, 1));
    squares.read_diagonal(matrix_.address(), size, size, pivots.address());
    device.download(values.data(), pivots, bytes_of(size, 1));
    device.synchronize();
    if (values.allFinite()) return;
  }
  throw_indefinite();
}

Address DeviceCholesky::at(Index row, Index column) const { return offset(matrix_, column * size_ + row); }

void DeviceCholesky::solve_triangle(Blas::Form form, Address b, Index columns) const {
  tools_.blas.solve_triangle(form, size_, columns, matrix_.address(), size_, b, size_);
}

Vector DeviceCholesky::squared_norms(Address a, Index columns) const {
  const Buffer sums = tools_.vectors.room_for_sums(size_, columns);
  // Without a second operand the task copies a onto itself, and adds up its squares.
  VectorArguments arguments{
      .a = a, .y = a, .sums = sums.address(), .rows = size_, .a_stride = size_, .out_stride = size_};
  arguments.sum_columns = static_cast<int>(columns);
  tools_.vectors.run(VectorTask::corrected, arguments, size_, columns);
  return tools_.vectors.sums(sums, size_, columns, 1);
}

void DeviceCholesky::invert(Index first, Index size, Address scratch) const {
  if (size <= few) {
    VectorArguments unit{.y = scratch, .rows = size, .out_stride = size};
    unit.columns = static_cast<int>(size);
    tools_.vectors.run(VectorTask::unit, unit, size, size);
    tools_.blas.solve_triangle(Blas::Form::plain, size, size, at(first, first), size_, scratch, size);
    // The block's upper triangle becomes zero, as square() wants it.
    tools_.vectors.run(VectorTask::copy,
                       {.a = scratch, .y = at(first, first), .rows = size, .a_stride = size, .out_stride = size_}, size,
                       size);
    return;
  }
  const Index half = half_of(size), rest = size - half;
  invert(first, half, scratch);
  invert(first + half, rest, scratch);
  const Address q = at(first + half, first);
  const auto multiply = [&](Blas::Side side, double alpha, Index triangle) {
    tools_.blas.multiply_triangle(side, Blas::Form::plain, rest, half, alpha, at(triangle, triangle), size_, q, size_);
  };
  multiply(Blas::Side::right, 1, first);
  multiply(Blas::Side::left, -1, first + half);
}

void DeviceCholesky::square(Index first, Index size, Address scratch) const {
  const Address p = at(first, first);
  if (size <= few) {
    tools_.blas.multiply({true, false, size, size, size, 1, p, size_, p, size_, 0, scratch, size});
    tools_.vectors.run(VectorTask::copy, {.a = scratch, .y = p, .rows = size, .a_stride = size, .out_stride = size_},
                       size, size);
    return;
  }
  const Index half = half_of(size), rest = size - half, second = first + half;
  const Address q = at(second, first);
  square(first, half, scratch);
  tools_.blas.add_squares(half, rest, q, size_, p, size_);
  tools_.blas.multiply_triangle(Blas::Side::left, Blas::Form::transposed, rest, half, 1, at(second, second), size_, q,
                                size_);
  square(second, rest, scratch);
}

Buffer DeviceCholesky::take_inverse() && {
  if (size_ > 0) {
    const Buffer scratch = tools_.device.allocate(bytes_of(few, few));
    invert(0, size_, scratch.address());
    square(0, size_, scratch.address());
    tools_.squares.lower_to_upper(matrix_.address(), size_, size_);
    tools_.device.synchronize();
  }
  return std::move(matrix_);
}

}  // namespace gpcv::cuda
