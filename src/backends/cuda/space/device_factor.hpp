/// A low-rank factor of the kernel matrix in the memory of the device.
#pragma once

#include <memory>

#include "backends/cuda/driver/cublas_api.hpp"
#include "backends/cuda/engine/engine.hpp"
#include "backends/cuda/space/fold_buffers.hpp"
#include "operators/space.hpp"

namespace gpcv::cuda {

/// The factor on the device. F is stored in double: reading it takes a fraction of the time of a kernel product, and in
/// single precision Woodbury's difference would lose the directions of the largest eigenvalues, whose ratio to the
/// noise exceeds 10⁷.
class DeviceFactor final : public LowRankFactor {
 public:
  /// The parts outlive the calls of residual_columns. The caller locks the device. Throws OutOfDeviceMemory.
  DeviceFactor(std::shared_ptr<const FoldBuffers> folds, const Blas& blas, const FoldParts& parts, Index most);

  Index rank() const override { return done_; }
  Matrix residual_columns(const std::vector<Index>& pivots) override;
  Vector append(const std::vector<Index>& kept, const Matrix& l) override;
  void complete(Index neighbours) override;
  void apply(ConstView r, std::span<const int> system, View z) const override;

  /// The buffers for Fᵀ D⁻¹ r and L_k⁻¹ Fᵀ D⁻¹ r, which are allocated before a solve begins.
  struct Workspace {
    Buffer t, half;  ///< rank × columns each
  };
  Workspace workspace(Index columns) const;
  /// z_c = (F_k F_kᵀ + D)⁻¹ r_c with r and z on the device, n × columns each; writes Σ r z to `sums`. The initial
  /// content of z is ignored. The caller locks the device.   systems: `system` on the device
  void apply(Address r, std::span<const int> system, Address systems, Address z, Address sums,
             const Workspace& workspace) const;

 private:
  /// Makes the engine of the pivots and allocates their columns of G.
  void make_room(Index pivots);
  /// G = K(:, S), where `index` holds the `count` rows S on the device.
  void kernel_columns(const Buffer& index, Index count);
  /// The rows S of the first columns of a matrix of n rows, count × columns.
  Buffer gathered(const Buffer& from, Index columns, const Buffer& index, Index count) const;
  /// Allocates room for all requested columns.
  void grow();
  /// W = L⁻¹ with L Lᵀ = s; s is overwritten.
  Buffer inverse_triangle(const Buffer& s) const;

  std::shared_ptr<const FoldBuffers> folds_;
  const Blas& blas_;
  FoldParts parts_;
  Index rows_, done_ = 0, most_, capacity_;            ///< done_ columns of F, most_ in the end, room for capacity_
  std::unique_ptr<Engine<double>> whole_, of_pivots_;  ///< K and its columns at the pivots, until F is complete
  Index room_ = 0;                                     ///< room for pivots
  Buffer factor_;                                      ///< F, n × capacity_
  Buffer columns_;                                     ///< G
  /// W_k = L_k⁻¹ with L_k L_kᵀ = S_k: two products replace two substitutions, which are slow on a device.
  std::vector<Buffer> small_;
};

}  // namespace gpcv::cuda
