#include "backends/cuda/cuda_operator.hpp"

#include "backends/cuda/space/cuda_space.hpp"

namespace gpcv {

CudaOperator::CudaOperator(const KernelProgram& program, ConstView x1, ConstView x2, bool symmetric,
                           Precision precision, int threads, const cuda::Tuning& tuning)
    : BackendOperator(x1.rows(), x2.rows(), program.parameters) {
  if (precision == Precision::double_ || precision == Precision::automatic) {
    double_ = std::make_unique<cuda::Engine<double>>(program, x1, x2, symmetric, threads, tuning);
  } else {
    float_ = std::make_unique<cuda::Engine<float>>(program, x1, x2, symmetric, threads, tuning);
  }
}

CudaOperator::~CudaOperator() = default;

double CudaOperator::kernel_seconds() const { return float_ ? float_->kernel_seconds() : double_->kernel_seconds(); }

std::unique_ptr<Space> CudaOperator::space(const Vector& noise, const std::vector<std::vector<char>>& training) const {
  if (rows() != cols() || rows() != noise.size()) return nullptr;
  if (float_) return std::make_unique<cuda::CudaSpace<float>>(*float_, noise, training);
  return std::make_unique<cuda::CudaSpace<double>>(*double_, noise, training);
}

// Zero rows are not skipped: columns of several folds share a pass, and some fold needs each pair.
void CudaOperator::apply_impl(ConstView v, View y, std::span<const ZeroRows>) const {
  if (float_) return float_->apply(v, y);
  double_->apply(v, y);
}

void CudaOperator::derivatives_impl(ConstView v, View j) const {
  if (float_) return float_->derivatives(v, j);
  double_->derivatives(v, j);
}

void CudaOperator::contract_impl(ConstView u, ConstView v, VectorView g) const {
  if (float_) return float_->contract(u, v, g);
  double_->contract(u, v, g);
}

}  // namespace gpcv
