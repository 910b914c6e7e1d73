/// How to compute: backend, arithmetic, threads, solver, memory. Passed in everywhere, never global.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "gpcv/export.hpp"

namespace gpcv {

class Communicator;

/// Of kernel products inside iterative solves, whose residuals are always checked in double. Factorisations and
/// predicted means are double whatever is chosen.
/// `automatic` is mixed where the noise is large enough for single-precision products to be of use, double elsewhere.
enum class Precision { automatic, double_, mixed, single };
GPCV_EXPORT std::string_view name_of(Precision precision);

/// How systems with K + D are solved: by factorising a stored matrix, or by conjugate gradients without one.
enum class Solver { automatic, cg, cholesky };
GPCV_EXPORT std::string_view name_of(Solver solver);

/// What a communicator shares: the blocks of every kernel product, or the folds where the trainer works fold by fold.
enum class ParallelMode { automatic, rows, folds };
GPCV_EXPORT std::string_view name_of(ParallelMode parallel_mode);

/// Everything that decides how, not what, is computed.
struct ComputeOptions {
  std::string backend = "auto";
  Precision precision = Precision::automatic;
  int threads = 1;
  Solver solver = Solver::automatic;
  std::size_t memory = 0;  ///< budget in bytes; 0: 80 % of what is free
  int rank = -1;           ///< of the preconditioner of conjugate gradients; -1: chosen from the number of rows
  std::function<bool()> stop = {};  ///< asked between iterations of a solve; true gives up with Interrupted
  std::shared_ptr<const Communicator> communicator =
      {};  ///< processes that share kernel products; none: this one alone
  ParallelMode parallel_mode = ParallelMode::automatic;
};

}  // namespace gpcv
