/// Solves with C and with Σ of one hold-out split.
#pragma once

#include <cstdint>
#include <memory>

#include "solvers/conjugate_gradients.hpp"
#include "solvers/preconditioner/fold_preconditioner.hpp"
#include "systems/holdout_system.hpp"

namespace gpcv {

/// A preconditioner P ≈ C⁻¹ that may be older than the system it serves: any positive definite one will do, and a
/// θ that moved little makes a new one a waste. For Σ it is applied twice: K_VT C⁻¹ is a smoother of norm about one,
/// so that Σ lies between (ρ/2) C² and (ρ/2 + 1) C².
class HoldoutSolver {
 public:
  HoldoutSolver(Index rank, const ComputeOptions& options) : rank_(rank), options_(options) {}

  /// Makes P for this system. With rank 0 there is none.
  void precondition(std::shared_ptr<const HoldoutSystem> system);

  /// Makes P anew when θ has moved too far from the one it was made for.
  void follow(const std::shared_ptr<const HoldoutSystem>& system, const Vector& log_theta);

  /// C x = b. x holds the start.   b, x: n_T × r
  CgSummary solve_covariance(const HoldoutSystem& system, ConstView b, View x, double tolerance) const;
  /// Σ x = b. x holds the start; the summary's status tells how it ended.   b, x: n_T × r
  CgSummary solve_sigma(const HoldoutSystem& system, double rho, ConstView b, View x, const CgOptions& how) const;

 private:
  CgOptions with_stop(CgOptions how) const;

  Index rank_;
  ComputeOptions options_;
  std::shared_ptr<const HoldoutSystem> preconditioned_;  ///< the system P was made for
  std::unique_ptr<FoldPreconditioner> preconditioner_;
  Vector followed_;  ///< log θ that P was made for by follow()
};

}  // namespace gpcv
