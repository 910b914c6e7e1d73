/// The augmented Lagrangian of one hold-out split.
#pragma once

#include <memory>
#include <utility>

#include "systems/holdout_system.hpp"
#include "trainers/common/coordinates.hpp"
#include "trainers/common/quadratic_penalty.hpp"

namespace gpcv {

/// A hold-out split of a problem, with its data and its operators at any θ.
class HoldoutProblem {
 public:
  HoldoutProblem(const Problem& problem, const Fold& fold, const ComputeOptions& compute)
      : problem_(problem), data_(Holdout::of(problem.x, problem.y, fold)), compute_(compute) {}

  const Problem& problem() const { return problem_; }
  const Holdout& data() const { return data_; }
  bool noise_is_free() const { return !problem_.noise.fixed; }
  /// Operators at θ. Throws Interrupted if training must stop: a θ-step may evaluate thousands of points.
  std::shared_ptr<const HoldoutSystem> at(const Vector& log_theta) const;

 private:
  const Problem& problem_;
  Holdout data_;
  ComputeOptions compute_;
};

/// A system at one θ, with its residuals for one z.
struct Evaluated {
  Vector q;
  std::shared_ptr<const HoldoutSystem> system;
  Vector residual;    ///< r = y_V − K_VT z
  Vector constraint;  ///< e = C z − y_T
};

/// The augmented Lagrangian L_ρ(θ, z, λ) = ‖r‖² + λᵀe + (ρ/2)‖e‖², plus a quadratic penalty, as a function of θ alone.
class ThetaLagrangian {
 public:
  ThetaLagrangian(const HoldoutProblem& holdout, const Coordinates& coordinates, const Vector& z, const Vector& lambda,
                  double rho, QuadraticPenalty penalty)
      : holdout_(holdout), coordinates_(coordinates), z_(z), lambda_(lambda), rho_(rho), penalty_(std::move(penalty)) {}

  const Coordinates& coordinates() const { return coordinates_; }

  Evaluated at(const Vector& q) const;
  /// Number of products with K_TT, K_VT and their derivatives so far.
  int products() const { return products_; }
  double value(const Evaluated& e) const;
  /// Lower bound −‖λ‖²/(2ρ) of L_ρ: the minimum of its terms in e, for any θ and z.
  double lower_bound() const { return -lambda_.squaredNorm() / (2 * rho_); }
  /// Gradient ∂L_ρ/∂q_i = −2 rᵀ(∂_iK_VT) z + (λ + ρe)ᵀ(∂_iC) z, as in the paper's appendix with its terms collected.
  Vector gradient(const Evaluated& e) const;

 private:
  const HoldoutProblem& holdout_;
  const Coordinates& coordinates_;
  const Vector& z_;
  const Vector& lambda_;
  double rho_;
  mutable int products_ = 0;
  QuadraticPenalty penalty_;
};

}  // namespace gpcv
