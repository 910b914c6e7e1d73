/// The solver of many small systems, each over the neighbours of one test point among the training points.
#pragma once

#include <memory>

#include "gpcv/compute.hpp"
#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

class NeighbourSolver {
 public:
  virtual ~NeighbourSolver() = default;
  /// k_Sᵀ (K_SS + σ²I)⁻¹ k_S for every point, where S holds the `neighbours` rows of X with the largest k(x*,
  /// x_i)²/(k_ii + σ²). The value is NaN if the matrix is not positive definite in floating point.   points: m × d
  virtual Vector explained(ConstView points, Index neighbours) const = 0;
};

/// The solver on a device; null if the products are computed on the host. X outlives the solver.
std::unique_ptr<NeighbourSolver> make_neighbour_solver(const KernelProgram& program, const Matrix& x, double noise,
                                                       const ComputeOptions& options);

}  // namespace gpcv
