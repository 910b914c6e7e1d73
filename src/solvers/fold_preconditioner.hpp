/// Woodbury on a low-rank factor of K, one small matrix per fold.
#pragma once

#include <cstdint>
#include <memory>

#include "operators/fold_system.hpp"
#include "operators/residence.hpp"

namespace gpcv {

/// F is made once for all folds; each fold needs one rank × rank Cholesky. It lives where the system's products are
/// made when there is room.
class FoldPreconditioner final : public Preconditioner {
 public:
  /// F is finished when what it leaves of K's trace is `negligible` of the noise's: less would save conjugate gradients
  /// no iterations.
  FoldPreconditioner(const FoldSystem& system, Index rank, std::uint64_t seed, int threads, double negligible = 0.1);

  Index rank() const { return factor_->rank(); }
  void apply(ConstView r, std::span<const int> system, View z) const override { factor_->apply(r, system, z); }
  const LowRankFactor* factor() const override { return factor_.get(); }

 private:
  std::unique_ptr<LowRankFactor> factor_;
};

}  // namespace gpcv
