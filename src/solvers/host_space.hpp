/// The memory of the host as the space of any system.
#pragma once

#include "operators/linear_system.hpp"

namespace gpcv {

/// The space on the host: it has room for everything that the plan allows and accepts any preconditioner.
class HostSpace final : public Space {
 public:
  /// The system outlives this space and the vectors it creates.
  HostSpace(const LinearSystem& system, Arithmetic arithmetic, int threads)
      : system_(system), arithmetic_(arithmetic), threads_(threads) {}

  std::unique_ptr<LowRankFactor> low_rank(const FoldParts& parts, Index most) const override;
  std::unique_ptr<CgVectors> vectors(const Preconditioner* preconditioner, Index columns) const override;

 private:
  const LinearSystem& system_;
  Arithmetic arithmetic_;
  int threads_;
};

}  // namespace gpcv
