#include "trainers/gauss_newton/descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gpcv/error.hpp"
#include "trainers/likelihood/minimize.hpp"

namespace gpcv {
namespace {

/// Of the residuals' norm, while far from the optimum.
constexpr double first_accuracy = 0.03, finest_usual_accuracy = 1e-4;
/// The same where a step promises so much of the value. What iterations leave of the residual is as good as random, and
/// the value wrong by its square. What is left where a good guess needed none is not: there the value is wrong in
/// proportion, and a descent to 1e-10 that went by the square alone followed such errors for twenty steps.
double wanted_accuracy(double promise) { return std::min(0.3 * std::sqrt(promise), 30 * promise); }
constexpr double longest_step = 1;
/// A step must gain so much of what it promised. Of one that gains nothing the last bit would decide whether it is
/// taken, and with it where the parameters end that the data say little about.
constexpr double least_gain = 0.01;
constexpr int most_tries = 8;
/// Relative residual of the sensitivities' solves while each step still gains more than `much` of the value: any
/// descent will do. Near the optimum r is almost orthogonal to J, and what is left must not drown in errors of J.
constexpr double coarse_residual = 0.1, much = 0.01;
/// A step that promised no more than so many times the tolerance is the last: to look at the next promise costs as much
/// as to take it.
constexpr double last_step = 5;
/// L-BFGS tells curvatures from differences of gradients.
constexpr double adjoint_residual = 1e-4;
/// A last gain of so many tolerances, after which sensitivities are solved for to so many times the residual.
constexpr double late_gain = 20, late_factor = 1.5;
/// A promised decrease below this part of the value that cannot be had is lost in the solves' errors.
constexpr double lost_in_noise = 1e-3;

}  // namespace

Descent::Descent(const Problem& problem, const TrainingPlan& plan, const TrainOptions& options, Coordinates box,
                 DescentState state, Work& work)
    : options_(options),
      folds_(problem.folds),
      adjoint_(plan.adjoint),
      coordinates_(std::move(box)),
      error_(plan.solver == Solver::cholesky ? dense_evaluator(problem, options.compute, work)
                                             : iterative_evaluator(problem, plan.iterative, options.compute, work)),
      pull_(QuadraticPenalty::none(state.theta.size())),
      state_(std::move(state)),
      accuracy_(first_accuracy),
      validated_(static_cast<double>(problem.folds.validated())) {
  error_->start_from(state_.weights, state_.sensitivities);
  if (state_.accuracy > 0) accuracy_ = state_.accuracy;
  if (state_.status == Status::converged) status_ = Status::converged;
  state_.weights.resize(0, 0);
  state_.sensitivities.resize(0, 0);
  if (!(state_.damping > 0)) state_.damping = 1e-3;
}

/// W (f⁰/n) ‖u − u⁰‖²: as if W rows with the start's mean error spoke for the start.
void Descent::set_pull(double sum_of_squares) {
  const Index p = state_.theta.size();
  if (!(state_.prior_weight > 0)) state_.prior_weight = options_.prior * sum_of_squares / validated_;
  pull_ = QuadraticPenalty(state_.prior_weight * Matrix::Identity(p, p), state_.start);
}

void Descent::moved_to(const Vector& u, double sum_of_squares) {
  error_->accept();
  state_.theta = u;
  state_.objective = sum_of_squares / validated_;
  value_ = value_at(sum_of_squares, u);
  value_accuracy_ = accuracy_;
}

bool Descent::begin(int most_iterations) {
  state_.theta = coordinates_.clipped(state_.theta);
  error_->limit_iterations(most_iterations);
  const double f = error_->evaluate(state_.theta, accuracy_);
  error_->limit_iterations(usual_most_iterations);
  if (!std::isfinite(f)) {
    status_ = Status::numerical_failure;
    state_.objective = std::numeric_limits<double>::quiet_NaN();
    return false;
  }
  set_pull(f);
  moved_to(state_.theta, f);
  report_.cg_iterations = error_->iterations();
  report_.residual = error_->residual();
  // A run that had ended before it was resumed takes no step that would tell its standard errors.
  if (status_ == Status::converged && state_.theta.size() > 0 && !adjoint_) {
    last_jtj_ = error_->normal(options_.gauss_newton.sensitivity_residual).jtj;
  }
  if (state_.theta.size() == 0 || f == 0) status_ = Status::converged;
  return true;
}

bool Descent::step() {
  if (done()) return false;
  const auto clip = [&](const Vector& u) { return coordinates_.clipped(u); };
  // What a direction is wrong by, squared, is what it misses of the decrease; where little is left to gain, that may be
  // more.
  const double tolerance = options_.gauss_newton.tolerance;
  const bool late = state_.gained > 0 && state_.gained < late_gain * tolerance;
  const double fine =
      (late ? late_factor : 1) * std::min(options_.gauss_newton.sensitivity_residual, 3 * std::sqrt(tolerance));
  bool is_fine = state_.gained < much || coarse_residual <= 3 * fine || !error_->iterates();
  NormalEquations model;
  const auto linearise = [&](double residual) {
    model = error_->normal(residual);
    last_jtj_ = model.jtj;
    model.jtj += pull_.weight();
    model.jtr += 0.5 * pull_.gradient(state_.theta);
  };
  linearise(is_fine ? fine : coarse_residual);
  if (!model.jtj.allFinite() || !model.jtr.allFinite()) {
    status_ = Status::numerical_failure;
    return false;
  }
  report_.gradient_norm =
      projected_norm(state_.theta, 2 * model.jtr, coordinates_.lower(), coordinates_.upper()) / validated_;
  const auto promise = [&](const Vector& taken) { return -(2 * model.jtr.dot(taken) + taken.dot(model.jtj * taken)); };

  // The undamped step promises what is left to gain.
  Vector newton = damped_step(model, state_.theta, 1e-12, clip);
  double left = promise(newton);
  if (!is_fine && left <= much * value_) {
    linearise(fine);
    is_fine = true;
    newton = damped_step(model, state_.theta, 1e-12, clip);
    left = promise(newton);
  }
  if (newton.allFinite() && left <= options_.gauss_newton.tolerance * value_) {
    status_ = Status::converged;
    return false;
  }
  for (int tried = 0; tried < most_tries; ++tried) {
    Vector step = damped_step(model, state_.theta, state_.damping, clip);
    if (!step.allFinite()) break;
    const double longest = step.cwiseAbs().maxCoeff();
    if (longest > longest_step) step *= longest_step / longest;
    const Vector u = clip(state_.theta + step);
    if (u == state_.theta) {
      status_ = Status::converged;
      return false;
    }
    const Vector taken = u - state_.theta;
    const double promised = promise(taken);
    // The error of a comparison must not hide what is promised.
    const double finest = std::min(finest_usual_accuracy, wanted_accuracy(tolerance));
    accuracy_ = std::min(accuracy_, std::max(finest, wanted_accuracy(std::max(promised, 0.0) / value_)));
    if (accuracy_ < 0.3 * value_accuracy_) {
      const double f = error_->refine(accuracy_);
      if (std::isfinite(f)) {
        state_.objective = f / validated_;
        value_ = value_at(f, state_.theta);
      }
      value_accuracy_ = accuracy_;
    }
    const double f = error_->evaluate(u, accuracy_);
    report_.cg_iterations = error_->iterations();
    report_.residual = error_->residual();
    const double value = value_at(f, u);
    if (std::isfinite(f) && value_ - value > least_gain * std::max(promised, 0.0)) {
      const double gain = (value_ - value) / std::max(promised, std::numeric_limits<double>::min());
      state_.gained = (value_ - value) / value_;
      const bool last = promised <= last_step * options_.gauss_newton.tolerance * value_;
      moved_to(u, f);
      if (gain > 0.75) state_.damping = std::max(1e-9, state_.damping / 10);
      if (gain < 0.25) state_.damping = std::clamp(4 * state_.damping, 0.1, 1e6);
      report_.step = taken.cwiseAbs().maxCoeff();
      report_.damping = state_.damping;
      ++state_.iteration;
      if (state_.iteration >= options_.max_iterations) status_ = Status::max_iterations;
      if (last) status_ = Status::converged;
      return true;
    }
    if (!is_fine) {
      linearise(fine);
      is_fine = true;
      continue;
    }
    state_.damping = std::clamp(10 * state_.damping, 1e-3, 1e6);
  }
  // No step helps. Where little was promised, the optimum is as near as it can be told.
  status_ = left <= lost_in_noise * value_ ? Status::converged : Status::max_iterations;
  return false;
}

void Descent::run(const std::function<bool()>& report) {
  // L-BFGS compares values and gradients of one accuracy.
  accuracy_ = 1e-3;
  const Vector start = state_.theta;
  // Its tolerances are of the value it begins with: the unit of the target does not matter.
  const double unit = value_;
  double lowest = value_;
  const Objective objective = [&](const Vector& u, Vector& gradient) {
    const double f = error_->evaluate(u, accuracy_);
    report_.cg_iterations = error_->iterations();
    report_.residual = error_->residual();
    if (!std::isfinite(f)) return std::numeric_limits<double>::infinity();
    error_->accept();
    gradient = (error_->gradient(adjoint_residual) + pull_.gradient(u)) / unit;
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
  const MinimizeResult end = minimize(objective, start, coordinates_.lower(), coordinates_.upper(),
                                      {options_.max_iterations, options_.gauss_newton.tolerance}, progress);
  status_ = end.status;
}

void Descent::keep_progress(DescentState& state) const {
  state.weights = error_->weights();
  state.sensitivities = error_->sensitivities();
  state.accuracy = accuracy_;
  state.status = status_;
}

double Descent::verify() {
  const double f = error_->verify(state_.theta);
  if (std::isfinite(f)) state_.objective = f / validated_;
  return f / validated_;
}

WholeWeights Descent::whole_weights() const {
  WholeWeights whole = error_->whole_weights();
  const Matrix weights = whole.values.size() == 0 ? error_->weights() : Matrix();
  if (weights.size() > 0) whole.values = mean_of_folds(weights, folds_);
  return whole;
}

Vector Descent::standard_errors() const {
  const Index p = state_.theta.size();
  if (last_jtj_.rows() != p || p == 0) return {};
  // cov u = s² (JᵀJ)⁻¹, s² = Σr²/(n − p); a pivot lost in rounding is a direction without information.
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
