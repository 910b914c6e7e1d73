/// Kernel products in vector instructions, with the instruction set chosen at run time.
#pragma once

#include <memory>

#include "backends/simd/block_driver.hpp"
#include "operators/backend_operator.hpp"

namespace gpcv {

/// The operator of the simd backend. K is never stored: each tile is evaluated, multiplied and discarded. `mixed` and
/// `single` both use float tiles: adding the sums of blocks of at most 640 × 640 pairs in double costs nothing
/// measurable, so `single` does it too. Results are bit-identical for the same data, number of threads and instruction
/// set, whatever the size of the communicator.
class SimdOperator final : public BackendOperator {
 public:
  /// symmetric: x2 is x1, and each pair is evaluated once.
  SimdOperator(const KernelProgram& program, ConstView x1, ConstView x2, bool symmetric, Precision precision,
               int threads, std::shared_ptr<const Communicator> communicator = {});
  ~SimdOperator() override;

 private:
  void apply_impl(ConstView v, View y, std::span<const ZeroRows> zeros) const override;
  void derivatives_impl(ConstView v, View j) const override;
  void contract_impl(ConstView u, ConstView v, VectorView g) const override;

  std::shared_ptr<const Communicator> communicator_;
  /// Exactly one of the two is set.
  std::unique_ptr<simd::BlockDriver<float>> float_;
  std::unique_ptr<simd::BlockDriver<double>> double_;
};

}  // namespace gpcv
