/// A low-rank factor of the kernel matrix in the memory of the host.
#pragma once

#include "gpcv/solver.hpp"
#include "operators/residence.hpp"

namespace gpcv {

class HostFactor final : public LowRankFactor {
 public:
  /// The parts outlive it. most: columns that F will have at the most.
  HostFactor(const FoldParts& parts, Index most, int threads);

  Index rank() const override { return done_; }
  Matrix residual_columns(const std::vector<Index>& pivots) override;
  Vector append(const std::vector<Index>& kept, const Matrix& l) override;
  void complete() override;
  void apply(ConstView r, std::span<const int> system, View z) const override;
  /// F; nothing is left.
  Matrix take() && { return std::move(factor_); }

 private:
  FoldParts parts_;
  int threads_;
  Index done_ = 0;
  Matrix factor_;                ///< F, n × rank
  Matrix columns_;               ///< G
  std::vector<Cholesky> small_;  ///< S_k
};

}  // namespace gpcv
