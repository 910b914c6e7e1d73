/// Factorisations on a CUDA device, for callers on the host.
#pragma once

#include <memory>

#include "backends/cuda/dense/device_cholesky.hpp"
#include "operators/dense_factor.hpp"

namespace gpcv {

/// The tools of dense matrices; the function locks the device.
std::shared_ptr<const cuda::DenseTools> dense_tools();

/// M⁻¹ b by a factor on the device. The caller locks the device.
Matrix solution(const cuda::DenseTools& tools, const cuda::DeviceCholesky& factor, ConstView b);

/// C = K(X, X) + σ²I on the device.
class CudaCovariance final : public CovarianceFactor {
 public:
  /// X outlives the factor.
  CudaCovariance(const KernelProgram& program, const Matrix& x, double noise);

  double jitter() const override { return factor_->jitter(); }
  Matrix solve(ConstView b) const override;
  Matrix half_solve(ConstView b) const override;
  Vector explained(const KernelProgram& program, ConstView points) const override;

 private:
  const Matrix& x_;
  std::shared_ptr<const cuda::DenseTools> tools_;
  std::unique_ptr<cuda::DeviceCholesky> factor_;
};

/// A block of an inverse on the device.
class CudaBlock final : public BlockFactor {
 public:
  /// block: both triangles, size × size. The caller locks the device.
  CudaBlock(std::shared_ptr<const cuda::DenseTools> tools, cuda::Buffer block, Index size)
      : tools_(std::move(tools)), factor_(*tools_, std::move(block), size, 0) {}

  double jitter() const override { return factor_.jitter(); }
  Matrix solve(ConstView b) const override;
  Vector inverse_diagonal() const override;

 private:
  std::shared_ptr<const cuda::DenseTools> tools_;
  cuda::DeviceCholesky factor_;
};

}  // namespace gpcv
