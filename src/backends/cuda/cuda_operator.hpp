/// Kernel products on a CUDA device, by kernels compiled at run time for the given expression.
#pragma once

#include <memory>

#include "backends/cuda/engine/engine.hpp"
#include "operators/backend_operator.hpp"

namespace gpcv {

/// The operator of the cuda backend. `mixed` and `single` both evaluate pairs in float and add sums of at most 512
/// products in double, which costs nothing measurable. `automatic` means double here, as in the simd backend; a
/// FoldSystem resolves it beforehand.
class CudaOperator final : public BackendOperator {
 public:
  /// symmetric: x2 is x1, and both share one copy. threads: threads of the host, for copies.
  CudaOperator(const KernelProgram& program, ConstView x1, ConstView x2, bool symmetric, Precision precision,
               int threads, const cuda::Tuning& tuning = {});
  ~CudaOperator() override;

  /// The time of all kernels since the operator was created, by the device's clock.
  double kernel_seconds() const;

  std::unique_ptr<Space> space(const Vector& noise, const std::vector<std::vector<char>>& training) const override;

 private:
  void apply_impl(ConstView v, View y, std::span<const ZeroRows> zeros) const override;
  void derivatives_impl(ConstView v, View j) const override;
  void contract_impl(ConstView u, ConstView v, VectorView g) const override;

  /// Exactly one of the two is set.
  std::unique_ptr<cuda::Engine<float>> float_;
  std::unique_ptr<cuda::Engine<double>> double_;
};

}  // namespace gpcv
