#include "backends/cuda/cuda_neighbours.hpp"

#include "backends/dense_kernel.hpp"

namespace gpcv {

CudaNeighbours::CudaNeighbours(const KernelProgram& program, const Matrix& x, double noise)
    : program_(program), x_(x), noise_(noise), scale_((kernel_diagonal(program, x).array() + noise).inverse()) {}

Vector CudaNeighbours::explained(ConstView points, Index neighbours) const {
  return cuda::Engine<double>(program_, points, x_, false, 1).explained(neighbours, scale_, noise_);
}

}  // namespace gpcv
