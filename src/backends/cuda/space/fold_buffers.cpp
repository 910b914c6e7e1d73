#include "backends/cuda/space/fold_buffers.hpp"

namespace gpcv::cuda {

FoldBuffers::FoldBuffers(Device& device_used, const Vector& noise_of_rows,
                         const std::vector<std::vector<char>>& training_of_folds)
    : device(device_used),
      kernels(device_used),
      rows(noise_of_rows.size()),
      noise(uploaded(device_used, noise_of_rows.data(), static_cast<std::size_t>(noise_of_rows.size()))) {
  std::vector<char> bytes;
  for (const std::vector<char>& fold : training_of_folds) bytes.insert(bytes.end(), fold.begin(), fold.end());
  training = uploaded(device, bytes.data(), bytes.size());
}

}  // namespace gpcv::cuda
