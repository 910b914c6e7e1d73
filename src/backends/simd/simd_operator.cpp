#include "backends/simd/simd_operator.hpp"

#include <cmath>

#include "backends/dense_kernel.hpp"

namespace gpcv {
namespace {

/// A bound on |k(x, x')| ≤ √(k(x, x) k(x', x')), which holds because K is positive semi-definite.
double largest_value(const KernelProgram& program, ConstView x1, ConstView x2, bool symmetric) {
  if (x1.rows() == 0 || x2.rows() == 0) return 0;
  const double first = kernel_diagonal(program, x1).maxCoeff();
  return symmetric ? first : std::sqrt(first * kernel_diagonal(program, x2).maxCoeff());
}

}  // namespace

SimdOperator::SimdOperator(const KernelProgram& program, ConstView x1, ConstView x2, bool symmetric,
                           Precision precision, int threads, std::shared_ptr<const Communicator> communicator)
    : BackendOperator(x1.rows(), x2.rows(), program.parameters), communicator_(std::move(communicator)) {
  const simd::Workers workers{threads, communicator_.get()};
  const double largest = largest_value(program, x1, x2, symmetric);
  if (precision == Precision::double_ || precision == Precision::automatic) {
    double_ = std::make_unique<simd::BlockDriver<double>>(program, x1, x2, symmetric, workers, largest);
  } else {
    float_ = std::make_unique<simd::BlockDriver<float>>(program, x1, x2, symmetric, workers, largest);
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
