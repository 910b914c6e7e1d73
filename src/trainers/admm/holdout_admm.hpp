/// Algorithm 1 of the paper on one hold-out split: θ-step, z-step, dual step.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>

#include "core/random.hpp"
#include "solvers/holdout_solver.hpp"
#include "trainers/admm/admm_state.hpp"
#include "trainers/admm/lagrangian.hpp"
#include "trainers/admm/theta_step.hpp"

namespace gpcv {

/// Measures of one iterate, for reports and stopping rules.
struct AdmmMeasures {
  double lagrangian = 0;     ///< L_ρ(θ, z, λ), without prior or consensus terms
  double holdout_error = 0;  ///< ‖y_V − K_VT z‖² / n_V
  double constraint = 0;     ///< ‖Cz − y_T‖ / ‖y_T‖
  double gradient = 0;       ///< largest projected |∂L/∂log θ| of L = L_0, over ‖y_V − K_VT z‖²
  double primal = 0;         ///< ‖Cz − y_T‖
  double dual = 0;           ///< ‖∂L/∂θ‖, in the coordinates of the θ-step
  double theta_change = 0;   ///< ‖θ − previous θ‖
  double z_change = 0;       ///< ‖z − previous z‖
  double z_norm = 0;
  double lambda_norm = 0;
  double rho = 0;
  double gap = 0;  ///< ‖z − C⁻¹y_T‖²; NaN unless requested
  int cg_iterations = 0;
  int products = 0;            ///< products with K_TT, K_VT and their derivatives in this sweep, columns counted singly
  int theta_steps = 0;         ///< steps of the θ-step
  bool theta_limited = false;  ///< the limit of steps ended the θ-step
  int limited_sweeps = 0;      ///< number of sweeps whose θ-step the limit ended
};

class HoldoutAdmm {
 public:
  /// Starts at log_theta with z⁰ = C(|θ⁰ + δ|)⁻¹ y_T and the λ⁰ of the options. `random` draws δ.
  HoldoutAdmm(const HoldoutProblem& holdout, const Coordinates& coordinates, const Vector& log_theta,
              const AdmmOptions& options, Index rank, const ComputeOptions& compute, Random& random);

  /// Resumes from the result of state().
  HoldoutAdmm(const HoldoutProblem& holdout, const Coordinates& coordinates, const HoldoutAdmmState& left,
              const AdmmOptions& options, Index rank, const ComputeOptions& compute);

  /// Performs one sweep. The penalty is added to L_ρ in the θ-step.
  void iterate(const QuadraticPenalty& penalty);

  Vector log_theta() const { return coordinates_.to_log(q_); }
  const AdmmMeasures& measures() const { return measures_; }
  /// Gradient of the hold-out error with respect to log θ, without the penalty; it is exact where C z = y_T.
  const Vector& gradient() const { return gradient_; }
  /// Curvature 2 JᵀJ of the last Gauss–Newton step; empty if there was none.
  const Matrix& curvature() const { return curvature_; }
  /// State from which ADMM resumes: θ, z, λ and the parameters of the step control.
  HoldoutAdmmState state() const;
  bool finite() const;
  /// Whether the last iterate satisfies the stopping rule of the options.
  bool finished() const;

 private:
  void sweep(const QuadraticPenalty& penalty);
  Evaluated separate_steps(const QuadraticPenalty& penalty);
  Evaluated coupled_step(const QuadraticPenalty& penalty);
  int most_cg() const;
  double z_tolerance() const;
  Evaluated z_step(const Vector& q, const std::shared_ptr<const HoldoutSystem>& at, Vector& z);
  Evaluated here() const;
  void measure(const Evaluated& e, const QuadraticPenalty& penalty);
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
  std::shared_ptr<const HoldoutSystem> system_;  ///< system at q_
  double damping_ = 1e-3;
  AdamMoments moments_;
  double steering_ = 0;  ///< largest ‖(∂C/∂q_i) z‖ of the last Gauss–Newton step
  double last_worst_ = std::numeric_limits<double>::infinity();  ///< largest residual at the last check of ρ
  int sweeps_ = 0;
  AdmmMeasures measures_;
};

}  // namespace gpcv
