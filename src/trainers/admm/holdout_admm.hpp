/// Algorithm 1 of the paper on one hold-out split: θ-step, z-step, dual step.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>

#include "core/random.hpp"
#include "solvers/holdout_solver.hpp"
#include "trainers/admm/admm_state.hpp"
#include "trainers/admm/lagrangian.hpp"

namespace gpcv {

/// What one iterate looks like from outside.
struct AdmmMeasures {
  double lagrangian = 0;     ///< L_ρ(θ, z, λ), without prior or consensus terms
  double holdout_error = 0;  ///< ‖y_V − K_VT z‖² / n_V
  double constraint = 0;     ///< ‖Cz − y_T‖ / ‖y_T‖
  double gradient = 0;       ///< largest |∂L_ρ/∂log θ| that the box allows to follow, over ‖y_V − K_VT z‖²
  double step = 0;           ///< ‖θ − previous θ‖
  double z_norm = 0;
  double rho = 0;
  double gap = 0;  ///< ‖z − C⁻¹y_T‖²; NaN unless asked for
  int cg_iterations = 0;
};

class HoldoutAdmm {
 public:
  /// Starts at log_theta: z⁰ = C(|θ⁰ + δ|)⁻¹ y_T, λ⁰ as the options say. `random` draws δ.
  HoldoutAdmm(const HoldoutProblem& holdout, const Coordinates& coordinates, const Vector& log_theta,
              const AdmmOptions& options, Index rank, const ComputeOptions& compute, Random& random);

  /// Goes on where state() was taken.
  HoldoutAdmm(const HoldoutProblem& holdout, const Coordinates& coordinates, const HoldoutAdmmState& left,
              const AdmmOptions& options, Index rank, const ComputeOptions& compute);

  /// One sweep. The pull is added to L_ρ in the θ-step.
  void iterate(const QuadraticPenalty& pull);

  Vector log_theta() const { return coordinates_.to_log(q_); }
  const AdmmMeasures& measures() const { return measures_; }
  /// Of the hold-out error in log θ, without the pull: exact where C z = y_T.
  const Vector& gradient() const { return gradient_; }
  /// 2 JᵀJ of the last Gauss–Newton step; empty when there was none.
  const Matrix& curvature() const { return curvature_; }
  /// θ, z, λ and what steers them.
  HoldoutAdmmState state() const;
  bool finite() const;
  /// Whether the options' stop rule holds for the last iterate.
  bool finished() const;

 private:
  void sweep(const QuadraticPenalty& pull);
  Evaluated separate_steps(const QuadraticPenalty& pull);
  Evaluated coupled_step(const QuadraticPenalty& pull);
  int most_cg() const;
  double z_tolerance() const;
  Evaluated z_step(const Vector& q, const std::shared_ptr<const HoldoutSystem>& at, Vector& z);
  Evaluated here() const;
  void measure(const Evaluated& e, const QuadraticPenalty& pull);
  Vector gradient_in_log(const Evaluated& e) const;
  void balance();
  double worst_residual() const { return std::max(measures_.constraint, measures_.gradient); }

  const HoldoutProblem& holdout_;
  const Coordinates& coordinates_;
  AdmmOptions options_;
  HoldoutSolver solver_;
  Vector q_, z_, lambda_;
  Vector gradient_;
  Matrix curvature_;
  double rho_;
  std::shared_ptr<const HoldoutSystem> system_;  ///< at q_
  double damping_ = 1e-3;
  double steering_ = 0;  ///< largest ‖(∂C/∂q_i) z‖ of the last Gauss–Newton step
  double last_worst_ = std::numeric_limits<double>::infinity();  ///< residual when ρ was last looked at
  int sweeps_ = 0;
  AdmmMeasures measures_;
};

}  // namespace gpcv
