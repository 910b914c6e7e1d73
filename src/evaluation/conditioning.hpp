/// The system (K + σ²I) x = b of a trained model, by whichever solver the memory plan chose.
#pragma once

#include <functional>
#include <memory>

#include "core/deadline.hpp"
#include "gpcv/posterior.hpp"
#include "planning/execution_plan.hpp"
#include "solvers/conjugate_gradients.hpp"
#include "solvers/factorise.hpp"
#include "solvers/preconditioner/fold_preconditioner.hpp"
#include "systems/fold_system.hpp"

namespace gpcv {

/// Throws the NumericalError of conjugate gradients that ended at `reached` instead of `wanted`.
[[noreturn]] void throw_unsolved(double reached, double wanted, int iterations);

/// Weights C⁻¹y and the residual ‖y − C w‖ / ‖y‖ that they reach.
struct ReachedWeights {
  Vector values;
  double residual = 0;   ///< 0 where factorised
  bool complete = true;  ///< false where the end came before the final residual
};

/// C⁻¹y of all rows, as accurately as the time until the deadline permits: a factorisation or iterations as planned, or
/// else with a smaller preconditioner, as far as they come. `deadline` has reserved the verification.
/// work: of the training, which shows the speed
ReachedWeights weights_within(const Problem& problem, const ComputeOptions& compute, const Vector& start,
                              Deadline& deadline, const Work& work = {});

/// The system K + σ²I of all rows with the preconditioner of a plan, ready to solve.
struct IterativeSystem {
  IterativeSystem(const Problem& problem, const IterativePlan& plan, const ComputeOptions& compute);

  /// x holds the start. Throws NumericalError when the residual cannot be reached.
  CgSummary solve(ConstView b, std::span<const int> system, View x, double tolerance) const;
  /// As far as it comes: x has what was reached.
  CgSummary attempt(ConstView b, std::span<const int> system, View x, double tolerance) const;

  std::function<bool()> stop;
  int threads;
  std::unique_ptr<FoldSystem> system;
  std::unique_ptr<FoldPreconditioner> preconditioner;  ///< null for rank 0
};

}  // namespace gpcv
