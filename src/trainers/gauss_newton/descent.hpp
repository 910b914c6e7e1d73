/// One start on its way down the cross-validation error.
#pragma once

#include <functional>

#include "evaluation/fold_evaluator.hpp"
#include "planning/training_plan.hpp"
#include "trainers/admm/coordinates.hpp"
#include "trainers/admm/lagrangian.hpp"
#include "trainers/gauss_newton/gauss_newton_state.hpp"

namespace gpcv {

/// What a step came to.
struct DescentReport {
  double gradient_norm = 0;  ///< of the mean squared error
  double step = 0;           ///< largest change of a log θ_i
  double damping = 0;
  int cg_iterations = 0;
  double residual = 0;
};

/// Levenberg–Marquardt, or L-BFGS where the plan says so, from one start on one part of the data.
class Descent {
 public:
  /// It stays in the box. `state` says where to begin and where the prior is centred.
  Descent(const Problem& problem, const TrainingPlan& plan, const TrainOptions& options, Coordinates box,
          DescentState state, Work& work);

  /// Evaluates the start; false when it cannot be, with so many iterations at the most.
  bool begin(int most_iterations = usual_most_iterations);
  /// Goes on to the next accepted point. False when there is none: finished() then tells why.
  /// Throws Interrupted when the computation is to stop; what was reached stays.
  bool step();
  /// L-BFGS takes all its steps at once, each of which it reports.
  void run(const std::function<bool()>& report);

  const DescentState& state() const { return state_; }
  const DescentReport& report() const { return report_; }
  Status status() const { return status_; }
  bool done() const { return status_ != Status::not_run; }
  /// Mean squared hold-out error, without the prior.
  double error() const { return state_.objective; }
  /// Residuals solved for to 1e-6; their mean square, not finite when they cannot be.
  double verify();
  const Vector& residuals() const { return error_->residuals(); }
  /// z of every fold where it stands.
  Matrix weights() const { return error_->weights(); }
  /// C⁻¹y of all rows, once verified; else near it, or empty.
  WholeWeights whole_weights() const;
  /// Which log θ_i are at a bound.
  std::vector<Index> at_bounds() const { return coordinates_.touching(state_.theta); }
  /// Adds to a copy of the state what another process needs to go on as this one would.
  void keep_progress(DescentState& state) const;
  /// Of log θ, from the last JᵀJ; NaN for a direction the data say nothing about.
  Vector standard_errors() const;

 private:
  double value_at(double sum_of_squares, const Vector& u) const { return sum_of_squares + pull_.value(u); }
  void moved_to(const Vector& u, double sum_of_squares);
  void set_pull(double sum_of_squares);

  const TrainOptions& options_;
  const Folds& folds_;
  const bool adjoint_;  ///< J is not to be had
  const Coordinates coordinates_;
  std::unique_ptr<FoldEvaluator> error_;
  QuadraticPenalty pull_;
  DescentState state_;
  DescentReport report_;
  Status status_ = Status::not_run;
  double value_ = 0;           ///< with the prior
  double accuracy_ = 0;        ///< of the solves
  double value_accuracy_ = 0;  ///< that value_ was found with
  double validated_ = 1;
  Matrix last_jtj_;  ///< without the prior
};

}  // namespace gpcv
