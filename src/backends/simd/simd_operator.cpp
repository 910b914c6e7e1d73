#include "backends/simd/simd_operator.hpp"

namespace gpcv {

SimdOperator::SimdOperator(const KernelProgram& program, ConstView x1, ConstView x2, bool symmetric,
                           Precision precision, int threads)
    : KernelOperator(x1.rows(), x2.rows(), program.parameters) {
  if (precision == Precision::double_ || precision == Precision::automatic) {
    double_ = std::make_unique<simd::BlockDriver<double>>(program, x1, x2, symmetric, threads);
  } else {
    float_ = std::make_unique<simd::BlockDriver<float>>(program, x1, x2, symmetric, threads);
  }
}

SimdOperator::~SimdOperator() = default;

void SimdOperator::apply_impl(ConstView v, View y, std::span<const ZeroRows> zeros) const {
  if (float_) return float_->apply(v, y, zeros);
  double_->apply(v, y, zeros);
}

void SimdOperator::derivatives_impl(ConstView v, View j) const {
  if (float_) return float_->derivatives(v, j);
  double_->derivatives(v, j);
}

void SimdOperator::contract_impl(ConstView u, ConstView v, VectorView g) const {
  if (float_) return float_->contract(u, v, g);
  double_->contract(u, v, g);
}

}  // namespace gpcv
