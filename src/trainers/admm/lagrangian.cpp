#include "trainers/admm/lagrangian.hpp"

#include <cmath>

namespace gpcv {

std::shared_ptr<const HoldoutSystem> HoldoutProblem::at(const Vector& log_theta) const {
  return std::make_shared<HoldoutSystem>(data_, kernel_at(problem_, log_theta).lower(), noise_at(problem_, log_theta),
                                         compute_);
}

Evaluated ThetaLagrangian::at(const Vector& q) const {
  Evaluated e{q, holdout_.at(coordinates_.to_log(q)), {}, {}};
  e.residual = holdout_.data().y_v - e.system->predict(z_);
  e.constraint = e.system->covariance_times(z_) - holdout_.data().y_t;
  return e;
}

double ThetaLagrangian::value(const Evaluated& e) const {
  return e.residual.squaredNorm() + lambda_.dot(e.constraint) + 0.5 * rho_ * e.constraint.squaredNorm() +
         pull_.value(e.q);
}

Vector ThetaLagrangian::gradient(const Evaluated& e) const {
  const Vector in_log =
      e.system->contract(-2 * e.residual, lambda_ + rho_ * e.constraint, z_, holdout_.noise_is_free());
  return in_log.cwiseProduct(coordinates_.chain(e.q)) + pull_.gradient(e.q);
}

NormalEquations ThetaLagrangian::normal_equations(const Evaluated& e) const {
  HoldoutVectors d = e.system->derivatives(z_, holdout_.noise_is_free());
  const Vector chain = coordinates_.chain(e.q);
  d.v = d.v * chain.asDiagonal();
  d.t = d.t * chain.asDiagonal();
  // J = [−∂K_VT z; √(ρ/2) ∂C z]
  NormalEquations n;
  n.jtj = d.v.transpose() * d.v + 0.5 * rho_ * d.t.transpose() * d.t;
  n.jtj += pull_.weight();
  n.jtr = -d.v.transpose() * e.residual + d.t.transpose() * (0.5 * rho_ * e.constraint + 0.5 * lambda_) +
          0.5 * pull_.gradient(e.q);
  return n;
}

}  // namespace gpcv
