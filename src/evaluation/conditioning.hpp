/// The system (K + σ²I) x = b of a trained model, by whichever solver the memory plan chose.
#pragma once

#include <functional>
#include <memory>

#include "gpcv/posterior.hpp"
#include "planning/execution_plan.hpp"
#include "solvers/conjugate_gradients.hpp"
#include "solvers/factorise.hpp"
#include "solvers/preconditioner/fold_preconditioner.hpp"
#include "systems/fold_system.hpp"

namespace gpcv {

/// Throws the NumericalError of conjugate gradients that ended at `reached` instead of `wanted`.
[[noreturn]] void throw_unsolved(double reached, double wanted, int iterations);

/// The system K + σ²I of all rows with the preconditioner of a plan, ready to solve.
struct IterativeSystem {
  IterativeSystem(const Problem& problem, const IterativePlan& plan, const ComputeOptions& compute);

  /// x holds the start. Throws NumericalError when the residual cannot be reached.
  CgSummary solve(ConstView b, std::span<const int> system, View x, double tolerance) const;

  std::function<bool()> stop;
  int threads;
  std::unique_ptr<FoldSystem> system;
  std::unique_ptr<FoldPreconditioner> preconditioner;  ///< null for rank 0
};

}  // namespace gpcv
