/// K as a stored matrix in double, for the methods that factorise it.
#pragma once

#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// K(X1, X2), rows × cols.
Matrix dense_kernel(const KernelProgram& program, ConstView x1, ConstView x2, int threads);
/// K(X, X) with both triangles filled.
Matrix dense_kernel(const KernelProgram& program, ConstView x, int threads);
/// k(x_i, x_i)
Vector kernel_diagonal(const KernelProgram& program, ConstView x);
/// Mean of k(x_i, x_i) over the first 100 rows, which is accurate enough to choose a method.
double typical_variance(const KernelProgram& program, ConstView x);
/// g_i = Σ_ab W_ab ∂K_ab/∂log θ_i for a symmetric W, of which only the lower triangle is read.
Vector contract_dense(const KernelProgram& program, ConstView x, ConstView w, int threads);

}  // namespace gpcv
