/// The covariance matrix of the observations, stored and factorised: the one place that does it.
#pragma once

#include "gpcv/kernel_program.hpp"
#include "gpcv/solver.hpp"

namespace gpcv {

/// Cholesky factor of C = K(X, X) + σ²I. Throws NumericalError when the largest jitter does not make C positive
/// definite.
Cholesky factorise(const KernelProgram& program, ConstView x, double noise, int threads);

}  // namespace gpcv
