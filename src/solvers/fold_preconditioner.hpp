/// Woodbury on a low-rank factor of K, one small matrix per fold.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gpcv/solver.hpp"
#include "operators/fold_system.hpp"
#include "solvers/row_share.hpp"

namespace gpcv {

/// With K ≈ F Fᵀ and F_k = M_k F:
/// (F_k F_kᵀ + D)⁻¹ = D⁻¹ − D⁻¹ F_k S_k⁻¹ F_kᵀ D⁻¹,   S_k = I + F_kᵀ D⁻¹ F_k.
/// F is made once for all folds; each fold needs one rank × rank Cholesky. On a team, each rank has some rows of F and
/// the small factors of some folds; sums over rows are exact, so that the number of ranks changes no bit.
class FoldPreconditioner final : public Preconditioner {
 public:
  /// F is finished when what it leaves of K's trace is `negligible` of the noise's: less would save conjugate gradients
  /// no iterations.
  FoldPreconditioner(const FoldSystem& system, Index rank, std::uint64_t seed, int threads, double negligible = 0.1);

  Index rank() const { return rank_; }
  void apply(ConstView r, std::span<const int> system, View z) const override;

 private:
  void make_small_factors();
  /// S_k⁻¹ of every column's fold, each by the rank that has it.
  void solve_small(std::span<const int> system, Matrix& t) const;
  /// The rank that has the small factor of the fold.
  int keeper_of(std::size_t fold) const;
  bool keeps(std::size_t fold) const { return share_.team() == nullptr || share_.team()->rank() == keeper_of(fold); }

  const FoldSystem& system_;
  RowShare share_;
  int threads_;
  double largest_ = 0;          ///< bound of |F|
  std::vector<Matrix> factor_;  ///< own pieces of F
  Index rank_ = 0;
  std::vector<std::optional<Cholesky>> small_;  ///< S_k of the own folds
};

}  // namespace gpcv
