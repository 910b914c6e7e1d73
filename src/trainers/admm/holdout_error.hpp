/// The hold-out error of one fold as a function of θ, with sensitivities.
#pragma once

#include "solvers/holdout_solver.hpp"
#include "trainers/admm/lagrangian.hpp"

namespace gpcv {

/// l(θ) = ‖r‖², r = y_V − K_VT C⁻¹ y_T, and what its derivatives need.
struct ErrorPoint {
  Vector q;          ///< log θ
  double value = 0;  ///< ‖r‖² and the pull; infinite when the solve failed
  Vector residual;   ///< r
  std::shared_ptr<const HoldoutSystem> system;
  Vector z;  ///< C⁻¹ y_T
};

class HoldoutError {
 public:
  HoldoutError(const HoldoutProblem& holdout, const Coordinates& coordinates, Index rank, const ComputeOptions& compute)
      : holdout_(holdout), coordinates_(coordinates), solver_(rank, compute) {}

  /// z near that of the next point; what is empty or of another size is not used.
  void start_from(const Vector& weights) {
    if (weights.size() == holdout_.data().y_t.size()) z_ = weights;
  }
  /// z of the last point.
  const Vector& weights() const { return z_; }

  ErrorPoint at(const Vector& log_theta, const QuadraticPenalty& pull);
  /// J_i = −(∂_iK_VT) z + K_VT C⁻¹ (∂_iC) z, all i in one block solve.
  Matrix jacobian(const ErrorPoint& point);
  /// A few damped Gauss–Newton steps on ‖r‖² + pull from log_theta.
  ErrorPoint minimize(const Vector& log_theta, const QuadraticPenalty& pull, int steps);
  /// 2 JᵀJ and 2 Jᵀr where the last minimisation began.
  const Matrix& curvature() const { return curvature_; }
  const Vector& gradient() const { return gradient_; }

 private:
  const HoldoutProblem& holdout_;
  const Coordinates& coordinates_;
  HoldoutSolver solver_;
  Vector z_;  ///< of the last point: the next solve's start
  double damping_ = 1e-3;
  Matrix curvature_;
  Vector gradient_;
};

}  // namespace gpcv
