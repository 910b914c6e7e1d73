/// Solves with C and Σ of one hold-out split.
#pragma once

#include <cstdint>
#include <memory>

#include "solvers/conjugate_gradients.hpp"
#include "solvers/preconditioner/fold_preconditioner.hpp"
#include "systems/holdout_system.hpp"

namespace gpcv {

/// Solves with a preconditioner P ≈ C⁻¹ that may be older than the system: any positive definite P is valid, and a
/// small change of θ does not justify a new one. For Σ it is applied twice: K_VT C⁻¹ is a smoother of norm about one,
/// so that Σ lies between (ρ/2) C² and (ρ/2 + 1) C².
class HoldoutSolver {
 public:
  HoldoutSolver(Index rank, const ComputeOptions& options) : rank_(rank), options_(options) {}

  /// Builds P for this system; with rank 0 there is no preconditioner.
  void precondition(std::shared_ptr<const HoldoutSystem> system);

  /// Rebuilds P if θ has moved too far from the point at which P was built.
  void follow(const std::shared_ptr<const HoldoutSystem>& system, const Vector& log_theta);

  /// Solves C x = b. x holds the initial guess.   b, x: n_T × r
  CgSummary solve_covariance(const HoldoutSystem& system, ConstView b, View x, double tolerance) const;
  /// Solves Σ x = b. x holds the initial guess; the status of the summary tells how the solve ended.   b, x: n_T × r
  CgSummary solve_sigma(const HoldoutSystem& system, double rho, ConstView b, View x, const CgOptions& how) const;

 private:
  CgOptions with_stop(CgOptions how) const;

  Index rank_;
  ComputeOptions options_;
  std::shared_ptr<const HoldoutSystem> preconditioned_;  ///< the system for which P was built
  std::unique_ptr<FoldPreconditioner> preconditioner_;
  Vector followed_;  ///< log θ at which follow() built P
};

}  // namespace gpcv
