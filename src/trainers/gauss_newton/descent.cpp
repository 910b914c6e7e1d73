#include "trainers/gauss_newton/descent.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "gpcv/error.hpp"
#include "trainers/common/minimize.hpp"

namespace gpcv {

Descent::Descent(std::unique_ptr<FoldEvaluator> evaluator, const Folds& folds, bool adjoint,
                 const TrainOptions& options, Coordinates box, DescentState state)
    : options_(options),
      folds_(folds),
      adjoint_(adjoint),
      box_(std::move(box)),
      evaluator_(std::move(evaluator)),
      prior_(QuadraticPenalty::none(state.theta.size())),
      loss_(options.gauss_newton.criterion, state.deviations),
      state_(std::move(state)),
      accuracy_(settings_.first_accuracy),
      validated_(static_cast<double>(folds.validated())) {
  evaluator_->start_from(state_.weights, state_.sensitivities);
  if (state_.accuracy > 0) accuracy_ = state_.accuracy;
  if (state_.status == Status::converged) status_ = Status::converged;
  state_.weights.resize(0, 0);
  state_.sensitivities.resize(0, 0);
  if (!(state_.damping > 0)) state_.damping = 1e-3;
}

/// W (f⁰/n) ‖u − u⁰‖²: equivalent to W held-out observations with the mean error of the start. Where there are not many
/// rows for each parameter, a start that was found with a prior of its own is followed less far.
void Descent::set_prior(double sum_of_losses) {
  const Index p = state_.theta.size();
  const bool found = options_.start.value_or(Start::automatic) == Start::automatic;
  const double stronger = found ? 1 + settings_.prior_growth * static_cast<double>(p) / validated_ : 1;
  if (!(state_.prior_weight > 0)) state_.prior_weight = stronger * options_.prior * sum_of_losses / validated_;
  prior_ = QuadraticPenalty(state_.prior_weight * Matrix::Identity(p, p), state_.start);
}

void Descent::moved_to(const Vector& u, double sum_of_losses) {
  evaluator_->accept();
  state_.theta = u;
  state_.objective = trial_squares_ / validated_;
  value_ = value_at(sum_of_losses, u);
  value_accuracy_ = accuracy_;
}

bool Descent::begin(int most_iterations) {
  state_.theta = box_.clipped(state_.theta);
  evaluator_->limit_iterations(most_iterations);
  const double f = evaluate(state_.theta);
  evaluator_->limit_iterations(iteration_limit::training);
  if (!std::isfinite(f)) {
    state_.objective = std::numeric_limits<double>::quiet_NaN();
    return end(Status::numerical_failure);
  }
  set_prior(f);
  moved_to(state_.theta, f);
  if (has_curvature()) last_jtj_ = validated_ * state_.curvature;
  // The curvature is that of the criterion: there is no step by squares with it.
  if (has_curvature() && loss_.is_squares() && options_.gauss_newton.criterion != Criterion::squared) {
    status_ = Status::converged;
  }
  // A run that had ended before it was resumed takes no step that would give its standard errors.
  if (!has_curvature() && status_ == Status::converged && state_.theta.size() > 0 && !adjoint_) {
    last_jtj_ = evaluator_->normal(options_.gauss_newton.sensitivity_residual, row_loss()).jtj;
  }
  if (state_.theta.size() == 0 || f == 0) status_ = Status::converged;
  return true;
}

bool Descent::begin_again(Vector deviations) {
  loss_ = HeldOutLoss(options_.gauss_newton.criterion, deviations);
  state_.deviations = std::move(deviations);
  state_.status = status_ = Status::not_run;
  state_.prior_weight = 0;
  // The losses of two rounds differ by what their deviations do, which is seen only after a step.
  state_.gained = 0;
  return begin();
}

RowLoss Descent::row_loss() const {
  return loss_.is_squares() ? RowLoss{} : loss_.second_order(evaluator_->residuals());
}

bool Descent::step() {
  if (done()) return false;
  const double tolerance = options_.gauss_newton.tolerance, fine = sensitivity_residual();
  fine_ = state_.gained < settings_.much || settings_.coarse_residual <= 3 * fine || !evaluator_->iterates();
  if (!linearise_by_secants() && !linearise(fine_ ? fine : settings_.coarse_residual)) {
    return end(Status::numerical_failure);
  }
  LevenbergMarquardt method = this->method();
  double left = method.left_to_gain(model_, state_.theta);
  const double enough = by_secants_ ? settings_.last_step * tolerance : settings_.much;
  if (!fine_ && left <= enough * value_) {
    if (!linearise(fine)) return end(Status::numerical_failure);
    left = method.left_to_gain(model_, state_.theta);
  }
  report_gradient();
  if (left <= tolerance * value_) return end(Status::converged);

  for (int tried = 0; tried < settings_.most_tries; ++tried) {
    const LevenbergMarquardt::Trial trial = method.propose(model_, state_.theta);
    if (!trial.q.allFinite()) break;
    if (trial.q == state_.theta) return end(Status::converged);
    refine_for(trial.promised);
    const double f = evaluate(trial.q);
    if (method.accept(trial, value_, value_at(f, trial.q))) {
      take(trial, f);
      return true;
    }
    if (fine_) {
      method.shorten();
    } else if (!linearise(fine)) {
      return end(Status::numerical_failure);
    }
  }
  if (has_curvature() && left > settings_.lost_in_noise * value_) {
    // The sample of the folds has told too little of the curvature.
    state_.curvature.resize(0, 0);
    state_.damping = 1e-3;
    return step();
  }
  // No step helps. Where little was promised, the optimum is as near as the solves can tell.
  return end(left <= settings_.lost_in_noise * value_ ? Status::converged : Status::max_iterations);
}

/// The error of a direction, squared, is what it misses of the decrease; where little is left to gain, that may be
/// more.
double Descent::sensitivity_residual() const {
  const double tolerance = options_.gauss_newton.tolerance;
  const bool late = state_.gained > 0 && state_.gained < settings_.late_gain * tolerance;
  return (late ? settings_.late_factor : 1) *
         std::min(options_.gauss_newton.sensitivity_residual, 3 * std::sqrt(tolerance));
}

/// Computes the model Σ (2 g_i (Js)_i + W_i (Js)_i²) of the change, with the prior; returns false if it is not finite.
bool Descent::linearise(double residual) {
  if (has_curvature()) {
    if (linearise_by_gradient()) return true;
    state_.curvature.resize(0, 0);
  }
  // The J that is held is that of this point.
  const bool held = evaluator_->moves_since_normal() == 0 && solved_residual_ <= residual;
  model_ = held ? evaluator_->normal_of_jacobian(row_loss()) : evaluator_->normal(residual, row_loss());
  if (!held) solved_residual_ = residual;
  by_secants_ = false;
  fine_ = fine_ || residual < settings_.coarse_residual;
  return add_prior();
}

bool Descent::add_prior() {
  last_jtj_ = model_.jtj;
  model_.jtj += prior_.weight();
  model_.jtr += 0.5 * prior_.gradient(state_.theta);
  return model_.jtj.allFinite() && model_.jtr.allFinite();
}

/// The same by the J of an earlier point and Broyden's secants, for which nothing is solved: a step costs one column of
/// each fold in place of p + 1. Returns false where J is to be solved for, as in trainings that write checkpoints: a
/// resumed one has no J, and would go another way.
bool Descent::linearise_by_secants() {
  by_secants_ = false;
  if (options_.checkpoint || validated_ < settings_.fewest_secant_rows) return false;
  const int moves = evaluator_->moves_since_normal();
  const bool gains = state_.gained > settings_.last_step * options_.gauss_newton.tolerance;
  if (has_curvature() || moves < 1 || moves > settings_.most_secants || !kept_promise_ || !gains) return false;
  model_ = evaluator_->normal_of_jacobian(row_loss());
  if (!add_prior()) return false;
  fine_ = false;
  by_secants_ = true;
  return true;
}

/// The same with the curvature that was found on a sample of the folds, and the gradient of all: K columns of an
/// adjoint in place of the K·p of all sensitivities. Returns false where the adjoint cannot be solved for.
bool Descent::linearise_by_gradient() {
  const Vector gradient = 0.5 * evaluator_->gradient(settings_.chord_residual, row_loss().slope);
  if (!gradient.allFinite()) return false;
  last_jtj_ = validated_ * state_.curvature;
  model_ = {last_jtj_ + prior_.weight(), gradient + 0.5 * prior_.gradient(state_.theta), true};
  fine_ = true;
  by_secants_ = false;
  return true;
}

void Descent::report_gradient() {
  report_.gradient_norm = projected_norm(state_.theta, 2 * model_.jtr, box_.lower(), box_.upper()) / validated_;
}

LevenbergMarquardt Descent::method() {
  return {state_.damping, [this](const Vector& u) { return box_.clipped(u); }, Vector::Ones(state_.theta.size()),
          settings_.longest_step, settings_.least_gain};
}

/// The errors of the two values that are compared must stay below what is promised.
void Descent::refine_for(double promised) {
  const double finest =
      std::min(settings_.finest_usual_accuracy, DescentSettings::wanted_accuracy(options_.gauss_newton.tolerance));
  const double wanted = DescentSettings::wanted_accuracy(std::max(promised, 0.0) / value_);
  accuracy_ = std::min(accuracy_, std::max(finest, wanted));
  if (accuracy_ >= 0.3 * value_accuracy_) return;
  const double squares = evaluator_->refine(accuracy_);
  if (std::isfinite(squares)) {
    state_.objective = squares / validated_;
    value_ = value_at(loss_.is_squares() ? squares : loss_.value(evaluator_->residuals()), state_.theta);
  }
  value_accuracy_ = accuracy_;
}

/// The sum of the losses at u.
double Descent::evaluate(const Vector& u) {
  trial_squares_ = evaluator_->evaluate(u, accuracy_);
  report_.cg_iterations = evaluator_->iterations();
  report_.residual = evaluator_->residual();
  if (loss_.is_squares() || !std::isfinite(trial_squares_)) return trial_squares_;
  return loss_.value(evaluator_->trial_residuals());
}

void Descent::take(const LevenbergMarquardt::Trial& trial, double sum_of_losses) {
  const double before = value_;
  moved_to(trial.q, sum_of_losses);
  state_.gained = (before - value_) / before;
  kept_promise_ = before - value_ >= settings_.kept_promise * trial.promised;
  report_.step = trial.step.cwiseAbs().maxCoeff();
  ++state_.iteration;
  if (state_.iteration >= options_.max_iterations) end(Status::max_iterations);
  const bool last = trial.promised <= settings_.last_step * options_.gauss_newton.tolerance * before;
  if (last && !by_secants_) end(Status::converged);
}

/// Convergence is judged by J; it is not claimed where the sensitivities behind J were not solved.
bool Descent::end(Status status) {
  status_ = status == Status::converged && !model_.solved ? Status::max_iterations : status;
  return false;
}

void Descent::run_lbfgs(const std::function<bool()>& report) {
  // L-BFGS compares values and gradients, which must have one accuracy.
  accuracy_ = settings_.lbfgs_accuracy;
  const Vector start = state_.theta;
  // Tolerances are relative to the first value, so that the unit of the target does not matter.
  const double unit = value_;
  double lowest = value_;
  const Objective objective = [&](const Vector& u, Vector& gradient) {
    const double f = evaluate(u);
    if (!std::isfinite(f)) return std::numeric_limits<double>::infinity();
    evaluator_->accept();
    gradient = (evaluator_->gradient(settings_.adjoint_residual, row_loss().slope) + prior_.gradient(u)) / unit;
    if (!gradient.allFinite()) return std::numeric_limits<double>::infinity();
    const double value = value_at(f, u);
    if (value < lowest) {
      report_.step = (u - state_.theta).cwiseAbs().maxCoeff();
      state_.theta = u;
      state_.objective = trial_squares_ / validated_;
      lowest = value;
      ++state_.iteration;
    }
    return value / unit;
  };
  const Progress progress = [&](const Vector&, double, double norm) {
    report_.gradient_norm = norm * unit / validated_;
    return report();
  };
  const MinimizeResult end = minimize(objective, start, box_.lower(), box_.upper(),
                                      {options_.max_iterations, options_.gauss_newton.tolerance}, progress);
  status_ = end.status;
}

void Descent::keep_progress(DescentState& state) const {
  state.weights = evaluator_->weights();
  state.sensitivities = evaluator_->sensitivities();
  state.accuracy = accuracy_;
  state.status = status_;
}

double Descent::verify() {
  const double f = evaluator_->verify(state_.theta);
  if (std::isfinite(f)) state_.objective = f / validated_;
  return f / validated_;
}

AllRowWeights Descent::all_row_weights() const {
  AllRowWeights found = evaluator_->all_row_weights();
  const Matrix weights = found.values.size() == 0 ? evaluator_->weights() : Matrix();
  if (weights.size() > 0) found.values = mean_of_folds(weights, folds_);
  return found;
}

void Descent::prepare_standard_errors() {
  if (loss_.is_squares() || adjoint_ || last_jtj_.size() == 0) return;
  if (has_curvature()) {
    slope_products_ = validated_ * state_.slope_products;
    return;
  }
  RowLoss loss = row_loss();
  loss.weight = loss.slope.cwiseAbs2();
  slope_products_ = evaluator_->normal(options_.gauss_newton.sensitivity_residual, loss).jtj;
}

void Descent::keep_curvature(DescentState& state) const {
  state.curvature = last_jtj_ / validated_;
  state.slope_products = slope_products_ / validated_;
}

double Descent::effective_parameters() const {
  if (last_jtj_.rows() == 0 || !last_jtj_.allFinite()) return 0;
  // tr((H + W)⁻¹H) with H = JᵀWJ of the losses and W the prior's weight
  const Eigen::LDLT<Matrix> factor(last_jtj_ + prior_.weight());
  const double count = factor.solve(last_jtj_).trace();
  return std::isfinite(count) ? std::clamp(count, 0.0, static_cast<double>(last_jtj_.rows())) : 0;
}

Vector Descent::standard_errors() const {
  const Index p = state_.theta.size();
  if (last_jtj_.rows() != p || p == 0) return {};
  const Vector scale = last_jtj_.diagonal().cwiseSqrt();
  Vector errors = Vector::Constant(p, std::numeric_limits<double>::quiet_NaN());
  std::vector<Index> known;
  for (Index i = 0; i < p; ++i) {
    if (scale(i) > 0 && std::isfinite(scale(i))) known.push_back(i);
  }
  if (known.empty()) return errors;
  // An eigenvalue that is lost in rounding belongs to an undetermined direction, and parameters that take part in one
  // have no standard error.
  constexpr double lost = 1e-12, share = 1e-3;
  const Vector unit = scale(known).cwiseInverse();
  const Matrix correlation = unit.asDiagonal() * Matrix(last_jtj_(known, known)) * unit.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(correlation);
  if (eigen.info() != Eigen::Success) return errors;
  const Eigen::ArrayXd found = (eigen.eigenvalues().array() > lost).cast<double>();
  const Vector undetermined = eigen.eigenvectors().cwiseAbs2() * (1 - found).matrix();
  const Vector inverse = found / eigen.eigenvalues().array().max(lost);
  Matrix covariance = eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
  const double counted = validated_ / std::max(1.0, validated_ - static_cast<double>(p));
  if (slope_products_.rows() == p) {
    // cov u = (JᵀWJ)⁻¹ Jᵀ diag(g²) J (JᵀWJ)⁻¹
    const Matrix middle = unit.asDiagonal() * Matrix(slope_products_(known, known)) * unit.asDiagonal();
    covariance = counted * covariance * middle * covariance;
  } else {
    // cov u = s² (JᵀJ)⁻¹, s² = Σr²/(n − p)
    covariance *= state_.objective * counted;
  }
  for (std::size_t i = 0; i < known.size(); ++i) {
    const auto at = static_cast<Index>(i);
    if (undetermined(at) > share) continue;
    errors(known[i]) = std::sqrt(std::max(0.0, covariance(at, at))) * unit(at);
  }
  return errors;
}

}  // namespace gpcv
