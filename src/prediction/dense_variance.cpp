#include "backends/dense_kernel.hpp"
#include "prediction/variance.hpp"

namespace gpcv {
namespace {

class DenseVariance final : public VarianceEstimator {
 public:
  DenseVariance(const Model& model, const Cholesky& factor, int threads)
      : program_(model.kernel.lower()), x_(model.x), factor_(factor), threads_(threads) {}

  Vector variance(ConstView points) const override {
    const Matrix half = factor_.half_solve(dense_kernel(program_, x_, points, threads_));
    return kernel_diagonal(program_, points) - half.colwise().squaredNorm().transpose();
  }

 private:
  KernelProgram program_;
  const Matrix& x_;
  const Cholesky& factor_;
  int threads_;
};

}  // namespace

std::unique_ptr<VarianceEstimator> dense_variance(const Model& model, const Cholesky& factor, int threads) {
  return std::make_unique<DenseVariance>(model, factor, threads);
}

}  // namespace gpcv
