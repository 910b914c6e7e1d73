/// Options of the computation: backend, arithmetic, threads, solver, memory. They are passed to each call; there is no
/// global state.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "gpcv/export.hpp"

namespace gpcv {

class Communicator;

/// Arithmetic of kernel products in iterative solves. The residuals of these solves are always checked in double
/// precision; factorisations and predicted means are always in double precision.
/// `automatic` means mixed where the noise is large enough for single-precision products, double elsewhere.
enum class Precision { automatic, double_, mixed, single };
/// Name of a precision, as in options.
GPCV_EXPORT std::string_view name_of(Precision precision);

/// Solver of systems with K + D: Cholesky factorisation of a stored matrix, or matrix-free conjugate gradients.
enum class Solver { automatic, cg, cholesky };
/// Name of a solver, as in options.
GPCV_EXPORT std::string_view name_of(Solver solver);

/// Work that ranks share: the blocks of every kernel product, or the folds where the trainer works fold by fold.
enum class ParallelMode { automatic, rows, folds };
/// Name of a parallel mode, as in options.
GPCV_EXPORT std::string_view name_of(ParallelMode parallel_mode);

/// Options that define how results are computed; they do not change what is computed.
struct ComputeOptions {
  std::string backend = "auto";                ///< backend of kernel products, one of compiled_backends() or "auto"
  Precision precision = Precision::automatic;  ///< arithmetic of kernel products
  int threads = 1;                             ///< number of threads
  Solver solver = Solver::automatic;           ///< solver of linear systems
  std::size_t memory = 0;                      ///< memory budget in bytes; 0 means 80 % of free memory
  int rank = -1;                               ///< rank of the preconditioner; -1 means a choice by the number of rows
  std::function<bool()> stop = {};             ///< called between iterations of a solve; true ends it with Interrupted
  std::shared_ptr<const Communicator> communicator = {};  ///< processes that share the work; null for a single process
  ParallelMode parallel_mode = ParallelMode::automatic;   ///< work that the processes share
};

}  // namespace gpcv
