#include "backends/cuda/dense/cuda_inverse.hpp"

#include "backends/cuda/dense/cuda_factor.hpp"
#include "backends/cuda/engine/engine.hpp"
#include "backends/cuda/space/fold_buffers.hpp"

namespace gpcv {

using cuda::Buffer;
using cuda::bytes_of;
using cuda::uploaded;

namespace {

/// Rows of a block up to which the copy to the host and a factorisation there take less time than the launches of one
/// on the device.
constexpr Index few_rows = 192;

Index rows_in(const std::vector<Index>& rows) { return static_cast<Index>(rows.size()); }

Buffer indices(cuda::Device& device, const std::vector<Index>& rows) {
  const std::vector<int> narrow(rows.begin(), rows.end());
  return uploaded(device, narrow.data(), narrow.size());
}

Buffer operand(cuda::Device& device, ConstView v) {
  const Matrix packed = v;
  return uploaded(device, packed.data(), static_cast<std::size_t>(packed.size()));
}

}  // namespace

CudaInverse::CudaInverse(const KernelProgram& program, ConstView x, double noise)
    : n_(x.rows()), tools_(dense_tools()) {
  cuda::Engine<double> engine(program, x, x, true, 1);
  const auto held = tools_->device.lock();
  Buffer matrix = tools_->device.allocate(bytes_of(n_, n_));
  engine.entries(matrix.address(), n_);
  cuda::DeviceCholesky factor(*tools_, std::move(matrix), n_, noise);
  jitter_ = factor.jitter();
  inverse_ = std::move(factor).take_inverse();
}

Matrix CudaInverse::downloaded(const Buffer& from, Index rows, Index columns) const {
  Matrix out(rows, columns);
  tools_->device.download(out.data(), from, bytes_of(rows, columns));
  tools_->device.synchronize();
  return out;
}

Buffer CudaInverse::columns(const std::vector<Index>& rows) const {
  const Index count = rows_in(rows);
  const Buffer index = indices(tools_->device, rows);
  Buffer out = tools_->device.allocate(bytes_of(n_, count));
  tools_->vectors.run(cuda::VectorTask::copy,
                      {.a = inverse_.address(),
                       .y = out.address(),
                       .index = index.address(),
                       .rows = n_,
                       .a_stride = n_,
                       .out_stride = n_},
                      n_, count);
  return out;
}

Buffer CudaInverse::block_on_device(const std::vector<Index>& rows) const {
  const Index count = rows_in(rows);
  const Buffer across = columns(rows), index = indices(tools_->device, rows);
  Buffer out = tools_->device.allocate(bytes_of(count, count));
  tools_->vectors.run(cuda::VectorTask::gather,
                      {.a = across.address(),
                       .y = out.address(),
                       .index = index.address(),
                       .rows = count,
                       .a_stride = n_,
                       .out_stride = count},
                      count, count);
  return out;
}

Matrix CudaInverse::times(ConstView v) const {
  const auto held = tools_->device.lock();
  const Buffer from = operand(tools_->device, v), to = tools_->device.allocate(bytes_of(n_, v.cols()));
  tools_->blas.multiply(
      {false, false, n_, v.cols(), n_, 1, inverse_.address(), n_, from.address(), n_, 0, to.address(), n_});
  return downloaded(to, n_, v.cols());
}

Matrix CudaInverse::rows_times(const std::vector<Index>& rows, ConstView v) const {
  const Index count = rows_in(rows);
  const auto held = tools_->device.lock();
  const Buffer across = columns(rows), from = operand(tools_->device, v);
  const Buffer to = tools_->device.allocate(bytes_of(count, v.cols()));
  tools_->blas.multiply(
      {true, false, count, v.cols(), n_, 1, across.address(), n_, from.address(), n_, 0, to.address(), count});
  return downloaded(to, count, v.cols());
}

Matrix CudaInverse::columns_times(const std::vector<Index>& rows, ConstView r) const {
  const Index count = rows_in(rows);
  const auto held = tools_->device.lock();
  const Buffer across = columns(rows), from = operand(tools_->device, r);
  const Buffer to = tools_->device.allocate(bytes_of(n_, r.cols()));
  tools_->blas.multiply(
      {false, false, n_, r.cols(), count, 1, across.address(), n_, from.address(), count, 0, to.address(), n_});
  return downloaded(to, n_, r.cols());
}

Matrix CudaInverse::block(const std::vector<Index>& rows) const {
  const auto held = tools_->device.lock();
  return downloaded(block_on_device(rows), rows_in(rows), rows_in(rows));
}

std::unique_ptr<BlockFactor> CudaInverse::block_factor(const std::vector<Index>& rows) const {
  if (rows_in(rows) <= few_rows) return nullptr;
  const auto held = tools_->device.lock();
  return std::make_unique<CudaBlock>(tools_, block_on_device(rows), rows_in(rows));
}

}  // namespace gpcv
