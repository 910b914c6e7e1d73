/// The only place that stores and factorises the covariance matrix of the observations on the host.
#pragma once

#include <memory>

#include "gpcv/compute.hpp"
#include "gpcv/kernel_program.hpp"
#include "gpcv/solver.hpp"
#include "operators/dense_factor.hpp"

namespace gpcv {

/// The Cholesky factor of C = K(X, X) + σ²I. Throws NumericalError if C is not positive definite even with the largest
/// jitter.
Cholesky factorise(const KernelProgram& program, ConstView x, double noise, int threads);

/// The same on the device where the options say so and it has room, otherwise on the host. X outlives the factor.
std::unique_ptr<CovarianceFactor> covariance_factor(const KernelProgram& program, const Matrix& x, double noise,
                                                    const ComputeOptions& compute);

}  // namespace gpcv
