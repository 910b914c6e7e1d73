#include "trainers/admm/holdout_admm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trainers/common/levenberg_marquardt.hpp"
#include "trainers/common/minimize.hpp"
#include "trainers/common/training_state.hpp"

namespace gpcv {
namespace {

constexpr int sweeps_between_balancing = 3;
/// Ratio of the residuals after and before that many sweeps, above which ρ is too small.
constexpr double slow_progress = 0.3;
/// Relative residual of the solves for sensitivities, which affect only the direction of a step.
constexpr double sensitivity_residual = 1e-3;
/// Relative residual of the solves for z⁰ and λ⁰, from which everything follows.
constexpr double accurate = 1e-10;

}  // namespace

HoldoutAdmm::HoldoutAdmm(const HoldoutProblem& holdout, const Coordinates& coordinates, const Vector& log_theta,
                         const AdmmOptions& options, Index rank, const ComputeOptions& compute, Random& random)
    : holdout_(holdout),
      coordinates_(coordinates),
      options_(options),
      solver_(options.precondition ? rank : 0, compute),
      rho_(options.rho) {
  const Index n = holdout.data().y_t.size();
  // z⁰ is the exact solution at the perturbed start |θ⁰ + δ|.
  Vector theta = log_theta.array().exp();
  for (double& value : theta) {
    if (options_.perturbation > 0) value = std::abs(value + options_.perturbation * random.normal());
    value = std::max(value, 1e-3 * options_.perturbation);
  }
  z_ = Vector::Zero(n);
  const auto perturbed = holdout_.at(theta.array().log());
  solver_.follow(perturbed, theta.array().log());
  solver_.solve_covariance(*perturbed, holdout_.data().y_t, z_, accurate);
  q_ = coordinates_.clipped(coordinates_.from_log(log_theta));
  system_ = holdout_.at(coordinates_.to_log(q_));
  if (options_.lambda0) {
    lambda_ = Vector::Constant(n, *options_.lambda0);
  } else {
    // The Lagrangian is stationary in z where Cz = y_T:  C λ = 2 K_VTᵀ (y_V − K_VT z).
    lambda_ = Vector::Zero(n);
    const Vector residual = holdout_.data().y_v - system_->predict(z_);
    solver_.solve_covariance(*system_, 2 * system_->predict_transposed(residual), lambda_, accurate);
  }
  measure(here(), QuadraticPenalty::none(q_.size()));
}

HoldoutAdmm::HoldoutAdmm(const HoldoutProblem& holdout, const Coordinates& coordinates, const HoldoutAdmmState& left,
                         const AdmmOptions& options, Index rank, const ComputeOptions& compute)
    : holdout_(holdout),
      coordinates_(coordinates),
      options_(options),
      solver_(options.precondition ? rank : 0, compute),
      q_(coordinates.clipped(coordinates.from_log(left.theta))),
      z_(left.z),
      lambda_(left.multipliers),
      rho_(left.rho),
      system_(holdout.at(coordinates.to_log(q_))),
      damping_(left.damping),
      moments_{left.adam_first, left.adam_second, left.adam_steps},
      steering_(left.steering),
      last_worst_(left.last_worst),
      sweeps_(left.sweeps) {
  measures_.limited_sweeps = left.limited_sweeps;
  const Index n = holdout.data().y_t.size();
  require_same_shape(z_.size() == n && lambda_.size() == n);
  solver_.follow(system_, log_theta());
  measure(here(), QuadraticPenalty::none(q_.size()));
}

HoldoutAdmmState HoldoutAdmm::state() const {
  return {.sweeps = sweeps_,
          .theta = log_theta(),
          .z = z_,
          .multipliers = lambda_,
          .rho = rho_,
          .damping = damping_,
          .steering = steering_,
          .last_worst = last_worst_,
          .limited_sweeps = measures_.limited_sweeps,
          .adam_first = moments_.first,
          .adam_second = moments_.second,
          .adam_steps = moments_.steps};
}

Evaluated HoldoutAdmm::here() const {
  return {q_, system_, holdout_.data().y_v - system_->predict(z_), system_->covariance_times(z_) - holdout_.data().y_t};
}

int HoldoutAdmm::most_cg() const {
  const Index rows = holdout_.data().y_t.size();
  if (!options_.z_iterations) return iteration_limit::admm(rows);
  return *options_.z_iterations > 0 ? *options_.z_iterations : static_cast<int>(rows);
}

/// Tolerance of the z-step. The dual step multiplies an error of Cz by ρ and adds it to λ, and the gradient contracts λ
/// with ∂C z. The tolerance keeps the resulting error below a fiftieth of the remaining gradient.
double HoldoutAdmm::z_tolerance() const {
  const Holdout& data = holdout_.data();
  const double gradient = std::min(1.0, std::max(measures_.gradient, options_.epsilon)) * measures_.holdout_error *
                          static_cast<double>(data.y_v.size());
  const double amplified = rho_ * steering_ * data.y_t.norm();
  if (!(amplified > 0)) return options_.z_tolerance;
  return std::max(options_.z_tolerance, std::min(1e-4, 0.02 * gradient / amplified));
}

Evaluated HoldoutAdmm::z_step(const Vector& q, const std::shared_ptr<const HoldoutSystem>& at, Vector& z) {
  const HoldoutSystem& system = *at;
  solver_.follow(at, coordinates_.to_log(q));
  // Σ z = −b/2 = (ρ/2) C y_T + K_VTᵀ y_V − C λ/2
  const Holdout& data = holdout_.data();
  const Vector b = system.covariance_times(0.5 * (rho_ * data.y_t - lambda_)) + system.predict_transposed(data.y_v);
  const CgOptions how{.tolerance = options_.z_step_tolerance > 0 ? 0 : z_tolerance(),
                      .max_iterations = most_cg(),
                      .natural_norm = true,
                      .step_tolerance = options_.z_step_tolerance};
  measures_.cg_iterations = solver_.solve_sigma(system, rho_, b, z, how).iterations;
  // A product with Σ is two with C, one with K_VT and one with its transpose; four more give b and the residuals.
  measures_.products += 4 * measures_.cg_iterations + 4;
  return {q, at, data.y_v - system.predict(z), system.covariance_times(z) - data.y_t};
}

/// Gradient of the Lagrangian without the penalty term. The z-step makes this Lagrangian stationary in z for the
/// multipliers after the dual step; where Cz = y_T, the result is therefore the gradient of the hold-out error itself.
Vector HoldoutAdmm::gradient_in_log(const Evaluated& e) const {
  return e.system->contract(-2 * e.residual, lambda_, z_, holdout_.noise_is_free());
}

void HoldoutAdmm::measure(const Evaluated& e, const QuadraticPenalty& penalty) {
  const ThetaLagrangian lagrangian(holdout_, coordinates_, z_, lambda_, rho_, QuadraticPenalty::none(q_.size()));
  const Holdout& data = holdout_.data();
  measures_.lagrangian = lagrangian.value(e);
  measures_.holdout_error = e.residual.squaredNorm() / static_cast<double>(data.y_v.size());
  measures_.constraint = e.constraint.norm() / std::max(data.y_t.norm(), std::numeric_limits<double>::min());
  measures_.primal = e.constraint.norm();
  measures_.z_norm = z_.norm();
  measures_.lambda_norm = lambda_.norm();
  measures_.rho = rho_;
  gradient_ = gradient_in_log(e);
  const Vector with_penalty = gradient_ + penalty.gradient(e.q).cwiseQuotient(coordinates_.chain(e.q));
  measures_.gradient = projected_norm(e.q, with_penalty, coordinates_.lower(), coordinates_.upper()) /
                       std::max(e.residual.squaredNorm(), std::numeric_limits<double>::min());
  measures_.dual = with_penalty.cwiseProduct(coordinates_.chain(e.q)).norm();
  measures_.gap = std::numeric_limits<double>::quiet_NaN();
  if (options_.trace_gap) {
    Vector exact = z_;
    solver_.solve_covariance(*e.system, data.y_t, exact, accurate);
    measures_.gap = (z_ - exact).squaredNorm();
  }
}

void HoldoutAdmm::iterate(const QuadraticPenalty& penalty) {
  const Vector theta = log_theta().array().exp(), z = z_;
  measures_.products = 0;
  sweep(penalty);
  ++sweeps_;
  measures_.theta_change = (Vector(log_theta().array().exp()) - theta).norm();
  measures_.z_change = (z_ - z).norm();
  if (options_.balance_rho) balance();
}

/// One iteration of Algorithm 1, which updates θ, then z, then λ.
void HoldoutAdmm::sweep(const QuadraticPenalty& penalty) {
  const Evaluated e = options_.theta_step == ThetaStep::gauss_newton ? coupled_step(penalty) : separate_steps(penalty);
  // λ ← λ + ρ (Cz − y_T)
  lambda_ += options_.rho_dual.value_or(rho_) * e.constraint;
  measure(e, penalty);
}

Evaluated HoldoutAdmm::separate_steps(const QuadraticPenalty& penalty) {
  const ThetaLagrangian lagrangian(holdout_, coordinates_, z_, lambda_, rho_, penalty);
  const ThetaMove move = theta_step(lagrangian, lagrangian.at(q_), options_, moments_);
  measures_.theta_steps = move.steps;
  measures_.products += lagrangian.products();
  measures_.theta_limited = move.limited && options_.step_rule != StepRule::constant;
  measures_.limited_sweeps += measures_.theta_limited ? 1 : 0;
  q_ = move.at.q;
  system_ = move.at.system;
  return z_step(q_, system_, z_);
}

/// Gauss–Newton step on L_ρ = ‖R‖² + const, R = [r; √(ρ/2)(e + λ/ρ)], with z eliminated. R is linear in z with
/// A = ∂R/∂z = [−K_VT; √(ρ/2) C], AᵀA = Σ, so that a step δ of θ changes the optimal z by −S δ with Σ S = Aᵀ(∂R/∂θ),
/// and the effective Jacobian is J = ∂R/∂θ − A S. For fixed z it would be ∂R/∂θ alone, which is ten times as stiff: θ
/// and z are strongly coupled, and steps that ignore the coupling converge slowly (200 sweeps instead of 6 in a
/// measurement).
Evaluated HoldoutAdmm::coupled_step(const QuadraticPenalty& penalty) {
  // The dual step has changed λ, so that z is updated first. Then AᵀR = 0, and JᵀR = (∂R/∂θ)ᵀR regardless of the errors
  // of S.
  const Evaluated before = z_step(q_, system_, z_);
  const bool with_noise = holdout_.noise_is_free();
  const Vector chain = coordinates_.chain(q_);
  HoldoutVectors d = system_->derivatives(z_, with_noise);
  d.v = d.v * chain.asDiagonal();
  d.t = d.t * chain.asDiagonal();
  steering_ = d.t.colwise().norm().maxCoeff();
  const Matrix rhs = system_->predict_transposed(d.v) + 0.5 * rho_ * system_->covariance_times(d.t);
  Matrix s = Matrix::Zero(rhs.rows(), rhs.cols());
  const CgSummary solved = solver_.solve_sigma(
      *system_, rho_, rhs, s, {.tolerance = sensitivity_residual, .max_iterations = most_cg(), .natural_norm = true});
  const auto columns = static_cast<int>(rhs.cols());
  measures_.products += columns * (4 * solved.iterations + 6);
  const Matrix j_v = system_->predict(s) - d.v, j_t = d.t - system_->covariance_times(s);

  const Matrix jtj = j_v.transpose() * j_v + 0.5 * rho_ * j_t.transpose() * j_t;
  curvature_ = 2 * jtj;

  struct Trial {
    Vector q;
    double value = 0;
    Evaluated at;
    Vector z;
  };
  const Trial start{q_, ThetaLagrangian(holdout_, coordinates_, z_, lambda_, rho_, penalty).value(before), before, z_};
  auto evaluate = [&](const Vector& q) {
    Trial trial{q, std::numeric_limits<double>::infinity(), {}, start.z - s * (q - start.q)};
    trial.at = z_step(q, holdout_.at(coordinates_.to_log(q)), trial.z);
    const double value = ThetaLagrangian(holdout_, coordinates_, trial.z, lambda_, rho_, penalty).value(trial.at);
    if (std::isfinite(value)) trial.value = value;
    return trial;
  };
  auto normal = [&](const Trial& at) {
    NormalEquations n;
    n.jtj = jtj + penalty.weight();
    n.jtr = d.t.transpose() * (0.5 * rho_ * at.at.constraint + 0.5 * lambda_) - d.v.transpose() * at.at.residual +
            0.5 * penalty.gradient(at.q);
    return n;
  };
  const Trial end =
      levenberg_marquardt(start, evaluate, normal, [&](const Vector& q) { return coordinates_.clipped(q); },
                          chain.cwiseInverse(), damping_, {.steps = 1, .tries = 6});
  measures_.theta_steps = end.q == q_ ? 0 : 1;
  q_ = end.q;
  system_ = end.at.system;
  z_ = end.z;
  return end.at;
}

/// Adapts ρ. If the θ-step keeps z fixed, a large ρ slows θ down, so that the two residuals are kept within a factor of
/// ten. If the θ-step eliminates z, a larger ρ only helps, because a small ρ lets λ oscillate and progress stops.
void HoldoutAdmm::balance() {
  if (sweeps_ % sweeps_between_balancing != 0) return;
  const double constraint = measures_.constraint, gradient = measures_.gradient;
  if (options_.theta_step == ThetaStep::gauss_newton) {
    // A constraint residual this small does not limit progress, and a larger ρ would only amplify its rounding errors.
    const bool matters = constraint > 1e-2 * options_.epsilon;
    if (matters && worst_residual() > slow_progress * last_worst_) rho_ = std::min(3 * rho_, 1000 * options_.rho);
    last_worst_ = worst_residual();
  } else if (constraint > 10 * gradient) {
    rho_ = std::min(2 * rho_, 10 * options_.rho);
  } else if (gradient > 10 * constraint) {
    rho_ = std::max(rho_ / 2, options_.rho / 10);
  }
}

bool HoldoutAdmm::finite() const {
  return q_.allFinite() && std::isfinite(measures_.lagrangian) && std::isfinite(measures_.constraint) &&
         std::isfinite(measures_.gradient);
}

bool HoldoutAdmm::finished() const {
  if (options_.stop == StopRule::none) return false;
  if (options_.stop == StopRule::change) return sweeps_ > 0 && measures_.theta_change < options_.epsilon;
  return measures_.constraint <= options_.epsilon && measures_.gradient <= options_.epsilon;
}

}  // namespace gpcv
