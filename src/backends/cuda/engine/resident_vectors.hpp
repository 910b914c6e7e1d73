/// Conjugate gradients with vectors in the memory of the device: only numbers per column travel.
#pragma once

#include <memory>

#include "backends/cuda/engine/engine.hpp"
#include "backends/cuda/engine/resident_factor.hpp"

namespace gpcv::cuda {

/// What an operator keeps of a fold system on the device, with products by the engine.
template <class T>
class FoldResidence final : public DeviceStorage {
 public:
  /// The engine outlives it.
  FoldResidence(Engine<T>& engine, const Vector& noise, const std::vector<std::vector<char>>& training);

  std::unique_ptr<LowRankFactor> low_rank(const FoldParts& parts, Index most) const override;
  std::unique_ptr<CgVectors> vectors(const LowRankFactor* factor, Index columns) const override;
  bool holds(const LowRankFactor* factor) const override {
    return dynamic_cast<const ResidentFactor*>(factor) != nullptr;
  }

 private:
  Engine<T>& engine_;
  std::shared_ptr<const FoldBuffers> folds_;
};

extern template class FoldResidence<float>;
extern template class FoldResidence<double>;

}  // namespace gpcv::cuda
