/// The neighbour solver on a CUDA device.
#pragma once

#include "backends/cuda/engine/engine.hpp"
#include "operators/neighbour_solver.hpp"

namespace gpcv {

/// The solver computes in double whatever the precision of the products, because a variance is a small difference.
class CudaNeighbours final : public NeighbourSolver {
 public:
  CudaNeighbours(const KernelProgram& program, const Matrix& x, double noise);
  Vector explained(ConstView points, Index neighbours) const override;

 private:
  KernelProgram program_;
  const Matrix& x_;
  double noise_;
  Vector scale_;  ///< 1/(k_ii + σ²)
};

}  // namespace gpcv
