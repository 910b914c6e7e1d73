#include "solvers/factorise.hpp"

#include "backends/dense_kernel.hpp"

namespace gpcv {

Cholesky factorise(const KernelProgram& program, ConstView x, double noise, int threads) {
  Matrix c = dense_kernel(program, x, threads);
  c.diagonal().array() += noise;
  return Cholesky(std::move(c), threads);
}

}  // namespace gpcv
