/// Many small systems, each of a test point and its own neighbours among the training points.
#pragma once

#include <memory>

#include "gpcv/compute.hpp"
#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

class NeighbourSolver {
 public:
  virtual ~NeighbourSolver() = default;
  /// k_Sᵀ (K_SS + σ²I)⁻¹ k_S for every point, with S the so many rows of X of largest k(x*, x_i)²/(k_ii + σ²); NaN
  /// where the matrix is not positive definite in floating point.   points: m × d
  virtual Vector explained(ConstView points, Index neighbours) const = 0;
};

/// Where a device does it; null elsewhere. X outlives it.
std::unique_ptr<NeighbourSolver> make_neighbour_solver(const KernelProgram& program, const Matrix& x, double noise,
                                                       const ComputeOptions& options);

}  // namespace gpcv
