/// The inverse of a covariance matrix on a CUDA device.
#pragma once

#include <memory>

#include "backends/cuda/dense/device_cholesky.hpp"
#include "operators/dense_factor.hpp"

namespace gpcv {

class CudaInverse final : public DenseInverse {
 public:
  CudaInverse(const KernelProgram& program, ConstView x, double noise);

  double jitter() const override { return jitter_; }
  Matrix times(ConstView v) const override;
  Matrix rows_times(const std::vector<Index>& rows, ConstView v) const override;
  Matrix columns_times(const std::vector<Index>& rows, ConstView r) const override;
  Matrix block(const std::vector<Index>& rows) const override;
  /// Blocks of few rows are the host's.
  std::unique_ptr<BlockFactor> block_factor(const std::vector<Index>& rows) const override;

 private:
  /// A_:V, and A_VV. The caller locks the device.
  cuda::Buffer columns(const std::vector<Index>& rows) const;
  cuda::Buffer block_on_device(const std::vector<Index>& rows) const;
  Matrix downloaded(const cuda::Buffer& from, Index rows, Index columns) const;

  Index n_;
  std::shared_ptr<const cuda::DenseTools> tools_;
  cuda::Buffer inverse_;
  double jitter_ = 0;
};

}  // namespace gpcv
