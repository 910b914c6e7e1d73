/// K as a stored matrix in double, computed by the same tiles as the products, for the methods that factorise it.
#pragma once

#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv::simd {

/// k = K(X1, X2).   k: rows × cols
void assemble(const KernelProgram& program, ConstView x1, ConstView x2, View k, int threads);

/// g_i = Σ_ab W_ab ∂K_ab/∂log θ_i for a symmetric W, of which only the lower triangle is read.   w: n × n, g: p
void contract_dense(const KernelProgram& program, ConstView x, ConstView w, VectorView g, int threads);

}  // namespace gpcv::simd
