/// The formulas of every kernel, pair by pair in double, as plainly as possible.
#pragma once

#include <vector>

#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv::simd {

struct NaiveValue {
  double value = 0;
  std::vector<double> gradient;  ///< ∂k/∂log θ
};

NaiveValue naive_kernel(const KernelProgram& program, const double* x, const double* x2);

/// K(X1, X2) and, for each θ_i, ∂K/∂log θ_i.
struct NaiveMatrices {
  Matrix k;
  std::vector<Matrix> dk;
};
NaiveMatrices naive_matrices(const KernelProgram& program, ConstView x1, ConstView x2);

}  // namespace gpcv::simd
