#include "solvers/factorise.hpp"

#include "backends/dense_kernel.hpp"
#include "operators/space.hpp"

namespace gpcv {
namespace {

class HostCovariance final : public CovarianceFactor {
 public:
  HostCovariance(const KernelProgram& program, const Matrix& x, double noise, int threads)
      : x_(x), factor_(factorise(program, x, noise, threads)), threads_(threads) {}

  double jitter() const override { return factor_.jitter(); }
  Matrix solve(ConstView b) const override { return factor_.solve(b); }
  Matrix half_solve(ConstView b) const override { return factor_.half_solve(b); }
  Vector explained(const KernelProgram& program, ConstView points) const override {
    return half_solve(dense_kernel(program, x_, points, threads_)).colwise().squaredNorm();
  }

 private:
  const Matrix& x_;
  Cholesky factor_;
  int threads_;
};

}  // namespace

Cholesky factorise(const KernelProgram& program, ConstView x, double noise, int threads) {
  Matrix c = dense_kernel(program, x, threads);
  c.diagonal().array() += noise;
  return Cholesky(std::move(c), threads);
}

std::unique_ptr<CovarianceFactor> covariance_factor(const KernelProgram& program, const Matrix& x, double noise,
                                                    const ComputeOptions& compute) {
  try {
    if (auto on_device = make_covariance_factor(program, x, noise, compute)) return on_device;
  } catch (const OutOfDeviceMemory&) {
    // The budget of the host is for this case, too: where the host has no room either, its allocation says so.
  }
  return std::make_unique<HostCovariance>(program, x, noise, compute.threads);
}

}  // namespace gpcv
