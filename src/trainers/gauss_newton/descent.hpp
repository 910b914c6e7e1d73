/// One start on its way down the cross-validation error.
#pragma once

#include <functional>

#include "evaluation/held_out_loss.hpp"
#include "planning/execution_plan.hpp"
#include "trainers/common/coordinates.hpp"
#include "trainers/common/levenberg_marquardt.hpp"
#include "trainers/common/quadratic_penalty.hpp"
#include "trainers/gauss_newton/gauss_newton_state.hpp"
#include "trainers/gauss_newton/settings.hpp"

namespace gpcv {

/// Measures of the last step.
struct DescentReport {
  double gradient_norm = 0;  ///< largest component of the mean squared error's gradient that the box lets move
  double step = 0;           ///< largest change of a log θ_i
  int cg_iterations = 0;
  double residual = 0;
};

/// Levenberg–Marquardt, or L-BFGS where the plan says so, from one start on one part of the data:
/// min_u f(u) + W (f⁰/n) ‖u − u⁰‖², f the sum of the losses of the hold-out residuals.
class Descent {
 public:
  /// The descent stays in the box. `state` says where it begins and where the prior is centred. adjoint: the Jacobian
  /// is unavailable. The folds and the options outlive it.
  Descent(std::unique_ptr<FoldEvaluator> evaluator, const Folds& folds, bool adjoint, const TrainOptions& options,
          Coordinates box, DescentState state);

  /// Evaluates the start; false when that fails within so many iterations.
  bool begin(int most_iterations = iteration_limit::training);
  /// Begins again from the point reached, with the loss of the state's deviations.
  bool begin_again(Vector deviations);
  /// Goes on to the next accepted point. False when there is none: status() then tells why.
  /// Throws Interrupted when the computation is to stop; what was reached stays.
  bool step();
  /// Takes all steps of L-BFGS, each of which is reported.
  void run_lbfgs(const std::function<bool()>& report);

  const DescentState& state() const { return state_; }
  const DescentReport& report() const { return report_; }
  Status status() const { return status_; }
  /// Ends a run that had come to its end in another object.
  void conclude(Status status) { status_ = status; }
  /// Keeps the error of values that were found before and cannot be evaluated again.
  void keep_objective(double objective) { state_.objective = objective; }
  bool done() const { return status_ != Status::not_run; }
  bool failed() const { return status_ == Status::numerical_failure; }
  /// Whether the sensitivities of the last step reached their residual.
  bool sensitivities_solved() const { return model_.solved; }
  /// Mean squared hold-out error, without the prior.
  double error() const { return state_.objective; }
  /// Mean loss of the hold-out residuals, without the prior.
  double loss() const { return (value_ - prior_.value(state_.theta)) / validated_; }
  /// The mean squared error with residuals solved to the end; not finite when that is out of reach.
  double verify();
  /// C⁻¹y of all rows once verified; otherwise a guess, or empty.
  AllRowWeights all_row_weights() const;
  FoldEvaluator& evaluator() const { return *evaluator_; }
  /// The evaluator at the point reached; this object is of no use afterwards.
  std::unique_ptr<FoldEvaluator> release_evaluator() { return std::move(evaluator_); }
  /// The log θ_i that stand at a bound.
  std::vector<Index> at_bounds() const { return box_.touching(state_.theta); }
  /// Adds to a copy of the state what another process needs to go on as this one would.
  void keep_progress(DescentState& state) const;
  /// Solves once more for the derivatives that the standard errors of a loss other than squares need.
  void prepare_standard_errors();
  /// Adds to a state what steps on more of the folds need to know of the curvature here, and what standard errors do.
  void keep_curvature(DescentState& state) const;
  /// Standard errors of log θ from the last JᵀWJ; NaN for a direction that the data do not determine.
  Vector standard_errors() const;
  /// Number of directions of log θ that the losses determine rather than the prior.
  double effective_parameters() const;

 private:
  bool linearise(double residual);
  bool linearise_by_secants();
  bool add_prior();
  bool linearise_by_gradient();
  bool has_curvature() const { return state_.curvature.size() > 0; }
  double sensitivity_residual() const;
  void report_gradient();
  LevenbergMarquardt method();
  void refine_for(double promised);
  double evaluate(const Vector& u);
  void take(const LevenbergMarquardt::Trial& trial, double sum_of_losses);
  bool end(Status status);

  double value_at(double sum_of_losses, const Vector& u) const { return sum_of_losses + prior_.value(u); }
  void moved_to(const Vector& u, double sum_of_losses);
  void set_prior(double sum_of_losses);
  RowLoss row_loss() const;

  const DescentSettings settings_;
  const TrainOptions& options_;
  const Folds& folds_;
  const bool adjoint_;  ///< the Jacobian is unavailable
  const Coordinates box_;
  std::unique_ptr<FoldEvaluator> evaluator_;
  QuadraticPenalty prior_;
  HeldOutLoss loss_;
  DescentState state_;
  DescentReport report_;
  Status status_ = Status::not_run;
  NormalEquations model_;       ///< linear model at the current point, with the prior
  bool fine_ = false;           ///< its sensitivities were solved to the fine residual
  bool by_secants_ = false;     ///< its J was solved for at an earlier point and follows secants since
  bool kept_promise_ = true;    ///< whether the last step gained about what its model promised
  double solved_residual_ = 1;  ///< residual of the sensitivities of the J that is held
  Matrix last_jtj_;             ///< JᵀWJ without the prior
  Matrix slope_products_;       ///< Jᵀ diag(g²) J, once prepared
  double trial_squares_ = 0;    ///< sum of squares at the point that was evaluated last
  double value_ = 0;            ///< objective with the prior
  double accuracy_ = 0;         ///< accuracy of the solves
  double value_accuracy_ = 0;   ///< accuracy that value_ was found with
  double validated_ = 1;
};

}  // namespace gpcv
