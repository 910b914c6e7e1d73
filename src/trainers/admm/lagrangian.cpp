#include "trainers/admm/lagrangian.hpp"

#include <cmath>

#include "gpcv/error.hpp"

namespace gpcv {

std::shared_ptr<const HoldoutSystem> HoldoutProblem::at(const Vector& log_theta) const {
  if (compute_.stop && compute_.stop()) throw Interrupted("stopped within an iteration");
  return std::make_shared<HoldoutSystem>(data_, kernel_at(problem_, log_theta).lower(), noise_at(problem_, log_theta),
                                         compute_);
}

Evaluated ThetaLagrangian::at(const Vector& q) const {
  Evaluated e{q, holdout_.at(coordinates_.to_log(q)), {}, {}};
  e.residual = holdout_.data().y_v - e.system->predict(z_);
  e.constraint = e.system->covariance_times(z_) - holdout_.data().y_t;
  products_ += 2;
  return e;
}

double ThetaLagrangian::value(const Evaluated& e) const {
  return e.residual.squaredNorm() + lambda_.dot(e.constraint) + 0.5 * rho_ * e.constraint.squaredNorm() +
         penalty_.value(e.q);
}

Vector ThetaLagrangian::gradient(const Evaluated& e) const {
  products_ += 2;
  const Vector in_log =
      e.system->contract(-2 * e.residual, lambda_ + rho_ * e.constraint, z_, holdout_.noise_is_free());
  return in_log.cwiseProduct(coordinates_.chain(e.q)) + penalty_.gradient(e.q);
}

}  // namespace gpcv
