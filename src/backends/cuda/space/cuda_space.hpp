/// The memory of a CUDA device as the space of a fold system.
#pragma once

#include <memory>
#include <vector>

#include "backends/cuda/engine/engine.hpp"
#include "backends/cuda/space/fold_buffers.hpp"
#include "operators/space.hpp"

namespace gpcv::cuda {

/// The space of the vectors and factors of an engine's products.
template <class T>
class CudaSpace final : public Space {
 public:
  /// The engine outlives the space. Throws OutOfDeviceMemory.
  CudaSpace(Engine<T>& engine, const Vector& noise, const std::vector<std::vector<char>>& training);

  std::unique_ptr<LowRankFactor> low_rank(const FoldParts& parts, Index most) const override;
  std::unique_ptr<CgVectors> vectors(const Preconditioner* preconditioner, Index columns) const override;

 private:
  Engine<T>& engine_;
  std::shared_ptr<const FoldBuffers> folds_;
};

extern template class CudaSpace<float>;
extern template class CudaSpace<double>;

}  // namespace gpcv::cuda
