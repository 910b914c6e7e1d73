/// The noise and the training masks of all folds on the device.
#pragma once

#include <vector>

#include "backends/cuda/space/vector_kernels.hpp"

namespace gpcv::cuda {

struct FoldBuffers {
  /// The caller locks the device.
  FoldBuffers(Device& device, const Vector& noise, const std::vector<std::vector<char>>& training);

  Device& device;
  VectorKernels kernels;
  Index rows;
  Buffer noise, training;  ///< doubles by row; bytes, fold after fold
};

/// Copies numbers of the host to the device and waits for the copy.
template <class T>
Buffer uploaded(Device& device, const T* from, std::size_t count) {
  Buffer to = device.allocate(count * sizeof(T));
  device.upload(to, from, count * sizeof(T));
  device.synchronize();
  return to;
}

inline Address offset(const Buffer& buffer, Index numbers) {
  return buffer.address() + static_cast<Address>(numbers) * sizeof(double);
}

inline std::size_t bytes_of(Index rows, Index columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) * sizeof(double);
}

}  // namespace gpcv::cuda
