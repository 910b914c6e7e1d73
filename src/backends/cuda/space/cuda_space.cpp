#include "backends/cuda/space/cuda_space.hpp"

#include "backends/cuda/space/device_factor.hpp"
#include "backends/cuda/space/device_vectors.hpp"

namespace gpcv::cuda {

template <class T>
CudaSpace<T>::CudaSpace(Engine<T>& engine, const Vector& noise, const std::vector<std::vector<char>>& training)
    : engine_(engine) {
  Device& device = Device::instance();
  const auto held = device.lock();
  folds_ = std::make_shared<FoldBuffers>(device, noise, training);
}

template <class T>
std::unique_ptr<LowRankFactor> CudaSpace<T>::low_rank(const FoldParts& parts, Index most) const {
  const auto held = folds_->device.lock();
  const Blas* blas = Blas::instance(folds_->device);
  if (blas == nullptr) return nullptr;
  return std::make_unique<DeviceFactor>(folds_, *blas, parts, most);
}

template <class T>
std::unique_ptr<CgVectors> CudaSpace<T>::vectors(const Preconditioner* preconditioner, Index columns) const {
  std::shared_ptr<const DeviceFactor> factor;
  if (preconditioner != nullptr) {
    // A factor from the space of another precision is valid too: all factors are in double on the same device.
    factor = std::dynamic_pointer_cast<const DeviceFactor>(preconditioner->factor());
    if (!factor) return nullptr;
  }
  const auto held = folds_->device.lock();
  return device_vectors(engine_, folds_, std::move(factor), columns);
}

template class CudaSpace<float>;
template class CudaSpace<double>;

}  // namespace gpcv::cuda
