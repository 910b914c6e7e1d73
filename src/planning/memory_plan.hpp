/// What a computation will hold in memory, decided and printed before it starts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gpcv/compute.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

struct MemoryItem {
  std::string purpose;
  std::size_t bytes = 0;
  bool before = false;  ///< given back before the others but the first, the inputs, are taken
};

/// The choices that follow from a budget, with their bytes.
struct MemoryPlan {
  Solver solver = Solver::cholesky;
  Index rank = 0;     ///< of the preconditioner; cg only
  Index columns = 0;  ///< right-hand sides per batch; cg only
  std::vector<MemoryItem> items;
  std::size_t budget = 0;
  std::string reason;  ///< why this solver

  /// The most that is held at one time.
  std::size_t total() const;
  /// One line per item, the total, the budget, the reason.
  std::string to_string() const;
};

struct MemoryRequest {
  Index n = 0, d = 0;
  Index columns = 1;  ///< right-hand sides that would be solved at once if memory were no matter
  Index folds = 1;
  Index largest_fold = 0;     ///< validation rows of the largest; a factorisation inverts a block of that size
  double noise_ratio = 0.1;   ///< noise over signal variance: how hard the systems are
  bool needs_factor = false;  ///< nothing but a factorisation will do
  ComputeOptions compute = {};
};

/// Throws InputError, naming the smallest budget that would do, when nothing fits.
MemoryPlan plan_memory(const MemoryRequest& request);

}  // namespace gpcv
