/// The driver that runs the blocks of a schedule on threads and on the ranks of a communicator, and adds their sums
/// exactly.
#pragma once

#include <span>
#include <vector>

#include "backends/simd/program/prepared_program.hpp"
#include "backends/simd/program/tile_plan.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"
#include "operators/backend_operator.hpp"

namespace gpcv::simd {

/// The threads and ranks that compute a product.
struct Workers {
  int threads = 1;
  const Communicator* communicator = nullptr;  ///< null: this process alone
};

/// The products of one kernel program on one pair of point sets, with tiles of T.
template <class T>
class BlockDriver {
 public:
  /// largest: a bound on |k(x, x')|; products need it, stored matrices and their contractions do not.
  BlockDriver(const KernelProgram& program, ConstView x1, ConstView x2, bool symmetric, const Workers& workers,
              double largest = 0);

  /// y = K v
  void apply(ConstView v, View y, std::span<const ZeroRows> zeros) const;
  /// j = [(∂K/∂log θ_i) v]
  void derivatives(ConstView v, View j) const;
  /// g_i = Σ_c u_cᵀ (∂K/∂log θ_i) v_c
  void contract(ConstView u, ConstView v, VectorView g) const;
  /// g_i = Σ_ab W_ab ∂K_ab/∂log θ_i for a symmetric W, of which only the lower triangle is read.
  void contract_dense(ConstView w, VectorView g) const;
  /// k_t = Kᵀ: K(x1_i, x2_j) is stored at k_t(j, i). Requires T = double.
  void assemble_transposed(View k_t) const;

 private:
  /// y += K v; `zeros` counts columns from the first of v.
  void apply_pass(ConstView v, View y, const std::vector<ZeroRows>& zeros) const;
  /// The derivatives for right-hand sides first … first + count − 1.
  void derivatives_pass(ConstView v, Index first, Index count, View j) const;
  /// The communicator, or null if the product is too small to share.
  const Communicator* worthwhile_ranks() const;

  PreparedProgram<T> prepared_;
  ValuePlan values_;
  GradientPlan columns_plan_, sums_plan_;
  bool symmetric_;
  int threads_;
  const Communicator* communicator_;
  double largest_;
};

extern template class BlockDriver<float>;
extern template class BlockDriver<double>;

}  // namespace gpcv::simd
