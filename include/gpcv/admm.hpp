/// Options of the ADMM trainers: admm, naive and consensus.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "gpcv/export.hpp"

namespace gpcv {

/// Method by which ADMM updates θ: with z fixed, one coordinate after the other or along the whole gradient, by
/// Armijo's rule or by Adam; or by a Gauss–Newton step that lets z follow.
enum class ThetaStep { coordinate, gradient, adam, gauss_newton };
/// Name of a θ-step, as in options.
GPCV_EXPORT std::string_view name_of(ThetaStep step);

/// Length of a step along the negative gradient: the first of Armijo's sequence that decreases L_ρ enough, the minimum
/// along the line, or the constant μ₁ of the paper's equation (12).
enum class StepRule { armijo, line, constant };
/// Name of a step rule, as in options.
GPCV_EXPORT std::string_view name_of(StepRule rule);

/// Rule that ends ADMM: small residuals, a small change ‖Δθ‖ as in Algorithm 1, or the number of iterations alone.
enum class StopRule { residuals, change, none };
/// Name of a stopping rule, as in options.
GPCV_EXPORT std::string_view name_of(StopRule rule);

/// Error by which the best of several starts is chosen: that of the held-out rows, or that of the training rows.
enum class ChooseBy { validation, training };
/// Name of the error by which a start is chosen, as in options.
GPCV_EXPORT std::string_view name_of(ChooseBy choose);

/// Update of each fold in a consensus round: sweeps of ADMM, or Gauss–Newton on the hold-out error.
enum class InnerEngine { admm, gauss_newton };
/// Name of an inner engine, as in options.
GPCV_EXPORT std::string_view name_of(InnerEngine engine);

/// Penalty of θ_k − θ̄ in a consensus: a matrix that follows the curvature of the folds' errors, or the scalar ρ.
enum class ConsensusPenalty { curvature, scalar };
/// Name of a penalty of consensus, as in options.
GPCV_EXPORT std::string_view name_of(ConsensusPenalty penalty);

/// Options of ADMM on  min ‖y_V − K_VT z‖²  subject to  C(θ) z = y_T,  with the augmented Lagrangian
/// L_ρ = ‖y_V − K_VT z‖² + λᵀ(Cz − y_T) + (ρ/2)‖Cz − y_T‖².  docs/math/admm.md
struct GPCV_EXPORT AdmmOptions {
  ThetaStep theta_step = ThetaStep::gauss_newton;  ///< method of the θ-step (11a)
  StepRule step_rule = StepRule::armijo;           ///< length of the steps of coordinate and gradient
  std::optional<double> step_size;  ///< μ₁ of (12), 1e-4 when not given; for Adam its rate, 0.01 when not given
  std::optional<int> theta_steps;   ///< most steps per θ-step and coordinate; see most_theta_steps()
  std::vector<double> theta_tolerance = {1e-3};  ///< |∂L_ρ/∂θᵢ| that ends a θ-step: one value, or one per parameter
  std::vector<double> armijo_start = {0.125};  ///< first step length of Armijo's rule: one value, or one per parameter
  double armijo_shrink = 0.5;                  ///< factor of the step length after a rejected step
  double armijo_slope = 0.5;                   ///< required fraction of the decrease that the gradient predicts
  bool raw_theta = false;                      ///< updates θ instead of log θ
  StopRule stop = StopRule::residuals;         ///< rule that ends the iteration
  double epsilon = 1e-3;  ///< tolerance of the relative constraint residual and of the relative gradient in log θ, or
                          ///< of ‖Δθ‖
  double rho = 10;        ///< penalty ρ of the constraint
  bool balance_rho = true;                 ///< adapts ρ in [rho/10, 10 rho], with gauss-newton in [rho, 1000 rho]
  std::optional<double> rho_dual;          ///< ρ' of the dual update (11c); ρ when not given
  std::optional<double> lambda0;           ///< value of every component of λ⁰; by default λ⁰ is stationary in z
  double perturbation = 0;                 ///< standard deviation of the normal δ in C(|θ⁰ + δ|) z⁰ = y_T
  double z_tolerance = 1e-10;              ///< smallest relative residual required of the z-step
  double z_step_tolerance = 0;             ///< when positive, the z-step stops once ‖Δz‖ is at most this
  std::optional<int> z_iterations;         ///< most steps of a z-step; 0 for n_T, twice that when not given
  bool precondition = true;                ///< preconditions the z-step
  ChooseBy choose = ChooseBy::validation;  ///< error by which starts are compared
  bool trace_gap = false;  ///< records ‖z − C⁻¹y_T‖² at the cost of one more solve per iteration

  /// Most steps of a θ-step per coordinate. By default one constant step (12), 25 steps of Adam, and otherwise as many
  /// as the tolerance needs, up to a safety limit of 100 000 that is reported when it ends a θ-step.
  int most_theta_steps() const;

  /// Options of the paper's text.
  static AdmmOptions paper();
};

/// Options of trainer consensus, in which every fold has its own parameters and a penalty makes them agree.
struct ConsensusOptions {
  InnerEngine inner = InnerEngine::gauss_newton;           ///< update of each fold
  ConsensusPenalty penalty = ConsensusPenalty::curvature;  ///< form of the penalty
  double rho = 1;  ///< penalty of θ_k − θ̄; relative to the mean curvature of the folds' errors unless scalar
  double epsilon = 1e-3;  ///< tolerance of ‖θ_k − θ̄‖ and of the relative gradients in log θ
};

}  // namespace gpcv
