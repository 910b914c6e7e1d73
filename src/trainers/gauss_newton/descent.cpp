#include "trainers/gauss_newton/descent.hpp"

#include <Eigen/Cholesky>
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

/// W (f⁰/n) ‖u − u⁰‖²: equivalent to W held-out observations with the mean error of the start.
void Descent::set_prior(double sum_of_squares) {
  const Index p = state_.theta.size();
  if (!(state_.prior_weight > 0)) state_.prior_weight = options_.prior * sum_of_squares / validated_;
  prior_ = QuadraticPenalty(state_.prior_weight * Matrix::Identity(p, p), state_.start);
}

void Descent::moved_to(const Vector& u, double sum_of_squares) {
  evaluator_->accept();
  state_.theta = u;
  state_.objective = sum_of_squares / validated_;
  value_ = value_at(sum_of_squares, u);
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
  // A run that had ended before it was resumed takes no step that would give its standard errors.
  if (status_ == Status::converged && state_.theta.size() > 0 && !adjoint_) {
    last_jtj_ = evaluator_->normal(options_.gauss_newton.sensitivity_residual).jtj;
  }
  if (state_.theta.size() == 0 || f == 0) status_ = Status::converged;
  return true;
}

bool Descent::step() {
  if (done()) return false;
  const double tolerance = options_.gauss_newton.tolerance, fine = sensitivity_residual();
  fine_ = state_.gained < settings_.much || settings_.coarse_residual <= 3 * fine || !evaluator_->iterates();
  if (!linearise(fine_ ? fine : settings_.coarse_residual)) return end(Status::numerical_failure);
  report_gradient();

  LevenbergMarquardt method = this->method();
  double left = method.left_to_gain(model_, state_.theta);
  if (!fine_ && left <= settings_.much * value_) {
    if (!linearise(fine)) return end(Status::numerical_failure);
    left = method.left_to_gain(model_, state_.theta);
  }
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

/// Computes the model ‖r + J s‖² of the decrease, with the prior; returns false if it is not finite.
bool Descent::linearise(double residual) {
  model_ = evaluator_->normal(residual);
  last_jtj_ = model_.jtj;
  model_.jtj += prior_.weight();
  model_.jtr += 0.5 * prior_.gradient(state_.theta);
  fine_ = fine_ || residual < settings_.coarse_residual;
  return model_.jtj.allFinite() && model_.jtr.allFinite();
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
  const double f = evaluator_->refine(accuracy_);
  if (std::isfinite(f)) {
    state_.objective = f / validated_;
    value_ = value_at(f, state_.theta);
  }
  value_accuracy_ = accuracy_;
}

double Descent::evaluate(const Vector& u) {
  const double f = evaluator_->evaluate(u, accuracy_);
  report_.cg_iterations = evaluator_->iterations();
  report_.residual = evaluator_->residual();
  return f;
}

void Descent::take(const LevenbergMarquardt::Trial& trial, double sum_of_squares) {
  const double before = value_;
  moved_to(trial.q, sum_of_squares);
  state_.gained = (before - value_) / before;
  report_.step = trial.step.cwiseAbs().maxCoeff();
  ++state_.iteration;
  if (state_.iteration >= options_.max_iterations) end(Status::max_iterations);
  if (trial.promised <= settings_.last_step * options_.gauss_newton.tolerance * before) end(Status::converged);
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
    gradient = (evaluator_->gradient(settings_.adjoint_residual) + prior_.gradient(u)) / unit;
    if (!gradient.allFinite()) return std::numeric_limits<double>::infinity();
    const double value = value_at(f, u);
    if (value < lowest) {
      report_.step = (u - state_.theta).cwiseAbs().maxCoeff();
      state_.theta = u;
      state_.objective = f / validated_;
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

Vector Descent::standard_errors() const {
  const Index p = state_.theta.size();
  if (last_jtj_.rows() != p || p == 0) return {};
  // cov u = s² (JᵀJ)⁻¹, s² = Σr²/(n − p); a pivot that is lost in rounding belongs to an undetermined direction.
  const double s2 = state_.objective * validated_ / std::max(1.0, validated_ - static_cast<double>(p));
  const Vector scale = last_jtj_.diagonal().cwiseSqrt();
  Vector errors = Vector::Constant(p, std::numeric_limits<double>::quiet_NaN());
  std::vector<Index> known;
  for (Index i = 0; i < p; ++i) {
    if (scale(i) > 0 && std::isfinite(scale(i))) known.push_back(i);
  }
  if (known.empty()) return errors;
  const Vector unit = scale(known).cwiseInverse();
  const Matrix correlation = unit.asDiagonal() * Matrix(last_jtj_(known, known)) * unit.asDiagonal();
  const Eigen::LDLT<Matrix> factor(correlation);
  if (factor.info() != Eigen::Success || factor.vectorD().minCoeff() < 1e-12) return errors;
  const Matrix inverse = factor.solve(Matrix::Identity(correlation.rows(), correlation.cols()));
  for (std::size_t i = 0; i < known.size(); ++i) {
    const auto at = static_cast<Index>(i);
    errors(known[i]) = std::sqrt(std::max(0.0, s2 * inverse(at, at))) * unit(at);
  }
  return errors;
}

}  // namespace gpcv
