/// Woodbury on a low-rank factor of K, one small matrix per fold.
#pragma once

#include <cstdint>
#include <vector>

#include "gpcv/solver.hpp"
#include "operators/fold_system.hpp"

namespace gpcv {

/// With K ≈ F Fᵀ and F_k = M_k F:
/// (F_k F_kᵀ + D)⁻¹ = D⁻¹ − D⁻¹ F_k S_k⁻¹ F_kᵀ D⁻¹,   S_k = I + F_kᵀ D⁻¹ F_k.
/// F is made once for all folds; each fold needs one rank × rank Cholesky.
class FoldPreconditioner final : public Preconditioner {
 public:
  /// F is finished when what it leaves of K's trace is `negligible` of the noise's: less would save conjugate gradients
  /// no iterations.
  FoldPreconditioner(const FoldSystem& system, Index rank, std::uint64_t seed, int threads, double negligible = 0.1);

  Index rank() const { return factor_.cols(); }
  void apply(ConstView r, std::span<const int> system, View z) const override;

 private:
  const FoldSystem& system_;
  Matrix factor_;                ///< F, n × rank
  std::vector<Cholesky> small_;  ///< S_k
  int threads_;
};

}  // namespace gpcv
