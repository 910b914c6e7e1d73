#include "backends/dense_kernel.hpp"
#include "prediction/variance.hpp"

namespace gpcv {
namespace {

class DenseVariance final : public VarianceEstimator {
 public:
  DenseVariance(const Model& model, const CovarianceFactor& factor) : program_(model.kernel.lower()), factor_(factor) {}

  Vector variance(ConstView points) const override {
    return kernel_diagonal(program_, points) - factor_.explained(program_, points);
  }

 private:
  KernelProgram program_;
  const CovarianceFactor& factor_;
};

}  // namespace

std::unique_ptr<VarianceEstimator> dense_variance(const Model& model, const CovarianceFactor& factor) {
  return std::make_unique<DenseVariance>(model, factor);
}

}  // namespace gpcv
