/// The reference implementation: plain loops in double, pair by pair.
#pragma once

#include "gpcv/kernel_program.hpp"
#include "operators/backend_operator.hpp"

namespace gpcv {

class ReferenceOperator final : public BackendOperator {
 public:
  ReferenceOperator(KernelProgram program, ConstView x1, ConstView x2, int threads);

 private:
  void apply_impl(ConstView v, View y, std::span<const ZeroRows> zeros) const override;
  void derivatives_impl(ConstView v, View j) const override;
  void contract_impl(ConstView u, ConstView v, VectorView g) const override;

  KernelProgram program_;
  Matrix points1_, points2_;  ///< one point per column
  int threads_;
};

}  // namespace gpcv
