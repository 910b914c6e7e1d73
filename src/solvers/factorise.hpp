/// The only place that stores and factorises the covariance matrix of the observations.
#pragma once

#include "gpcv/kernel_program.hpp"
#include "gpcv/solver.hpp"

namespace gpcv {

/// The Cholesky factor of C = K(X, X) + σ²I. Throws NumericalError if C is not positive definite even with the largest
/// jitter.
Cholesky factorise(const KernelProgram& program, ConstView x, double noise, int threads);

}  // namespace gpcv
