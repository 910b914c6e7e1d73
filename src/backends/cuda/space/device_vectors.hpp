/// Conjugate gradients with vectors in the memory of the device: only numbers per column travel.
#pragma once

#include <memory>

#include "backends/cuda/engine/engine.hpp"
#include "backends/cuda/space/device_factor.hpp"
#include "operators/linear_system.hpp"

namespace gpcv::cuda {

/// Vectors for so many columns, with products by the engine, which outlives them. factor: may be null. The device is
/// locked by the caller. Throws OutOfDeviceMemory.
template <class T>
std::unique_ptr<CgVectors> device_vectors(Engine<T>& engine, std::shared_ptr<const FoldBuffers> folds,
                                          std::shared_ptr<const DeviceFactor> factor, Index columns);

extern template std::unique_ptr<CgVectors> device_vectors<float>(Engine<float>&, std::shared_ptr<const FoldBuffers>,
                                                                 std::shared_ptr<const DeviceFactor>, Index);
extern template std::unique_ptr<CgVectors> device_vectors<double>(Engine<double>&, std::shared_ptr<const FoldBuffers>,
                                                                  std::shared_ptr<const DeviceFactor>, Index);

}  // namespace gpcv::cuda
