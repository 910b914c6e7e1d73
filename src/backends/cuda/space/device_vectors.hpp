/// The vectors of conjugate gradients in the memory of the device: only scalars per column are transferred.
#pragma once

#include <memory>

#include "backends/cuda/engine/engine.hpp"
#include "backends/cuda/space/device_factor.hpp"
#include "operators/linear_system.hpp"

namespace gpcv::cuda {

/// The vectors for this many columns, with products by the engine, which outlives them. factor: may be null. The caller
/// locks the device. Throws OutOfDeviceMemory.
template <class T>
std::unique_ptr<CgVectors> device_vectors(Engine<T>& engine, std::shared_ptr<const FoldBuffers> folds,
                                          std::shared_ptr<const DeviceFactor> factor, Index columns);

extern template std::unique_ptr<CgVectors> device_vectors<float>(Engine<float>&, std::shared_ptr<const FoldBuffers>,
                                                                 std::shared_ptr<const DeviceFactor>, Index);
extern template std::unique_ptr<CgVectors> device_vectors<double>(Engine<double>&, std::shared_ptr<const FoldBuffers>,
                                                                  std::shared_ptr<const DeviceFactor>, Index);

}  // namespace gpcv::cuda
