#include "backends/cuda/dense/cuda_factor.hpp"

#include "backends/cuda/engine/engine.hpp"
#include "backends/cuda/space/fold_buffers.hpp"

namespace gpcv {

using cuda::Blas;
using cuda::Buffer;
using cuda::bytes_of;
using cuda::Device;

namespace {

Buffer right_hand_sides(Device& device, ConstView b) {
  const Matrix packed = b;
  return cuda::uploaded(device, packed.data(), static_cast<std::size_t>(packed.size()));
}

Matrix brought_back(Device& device, const Buffer& from, Index rows, Index columns) {
  Matrix out(rows, columns);
  device.download(out.data(), from, bytes_of(rows, columns));
  device.synchronize();
  return out;
}

}  // namespace

std::shared_ptr<const cuda::DenseTools> dense_tools() {
  const auto held = Device::instance().lock();
  return std::make_shared<const cuda::DenseTools>();
}

Matrix solution(const cuda::DenseTools& tools, const cuda::DeviceCholesky& factor, ConstView b) {
  const Buffer work = right_hand_sides(tools.device, b);
  factor.solve_triangle(Blas::Form::plain, work.address(), b.cols());
  factor.solve_triangle(Blas::Form::transposed, work.address(), b.cols());
  return brought_back(tools.device, work, b.rows(), b.cols());
}

CudaCovariance::CudaCovariance(const KernelProgram& program, const Matrix& x, double noise)
    : x_(x), tools_(dense_tools()) {
  cuda::Engine<double> engine(program, x, x, true, 1);
  const auto held = tools_->device.lock();
  Buffer matrix = tools_->device.allocate(bytes_of(x.rows(), x.rows()));
  engine.entries(matrix.address(), x.rows());
  factor_ = std::make_unique<cuda::DeviceCholesky>(*tools_, std::move(matrix), x.rows(), noise);
}

Matrix CudaCovariance::solve(ConstView b) const {
  const auto held = tools_->device.lock();
  return solution(*tools_, *factor_, b);
}

Matrix CudaCovariance::half_solve(ConstView b) const {
  const auto held = tools_->device.lock();
  const Buffer work = right_hand_sides(tools_->device, b);
  factor_->solve_triangle(Blas::Form::plain, work.address(), b.cols());
  return brought_back(tools_->device, work, b.rows(), b.cols());
}

Vector CudaCovariance::explained(const KernelProgram& program, ConstView points) const {
  if (points.rows() == 0) return {};
  cuda::Engine<double> engine(program, x_, points, false, 1);
  const auto held = tools_->device.lock();
  // k*ᵀ C⁻¹ k* = ‖L⁻¹ k*‖²
  const Buffer cross = tools_->device.allocate(bytes_of(x_.rows(), points.rows()));
  engine.entries(cross.address(), x_.rows());
  factor_->solve_triangle(Blas::Form::plain, cross.address(), points.rows());
  return factor_->squared_norms(cross.address(), points.rows());
}

Matrix CudaBlock::solve(ConstView b) const {
  const auto held = tools_->device.lock();
  return solution(*tools_, factor_, b);
}

Vector CudaBlock::inverse_diagonal() const {
  const Index n = factor_.size();
  const auto held = tools_->device.lock();
  const Buffer half = tools_->device.allocate(bytes_of(n, n));
  cuda::VectorArguments unit{.y = half.address(), .rows = n, .out_stride = n};
  unit.columns = static_cast<int>(n);
  tools_->vectors.run(cuda::VectorTask::unit, unit, n, n);
  // diag M⁻¹ = column sums of squares of L⁻¹
  factor_.solve_triangle(Blas::Form::plain, half.address(), n);
  return factor_.squared_norms(half.address(), n);
}

}  // namespace gpcv
