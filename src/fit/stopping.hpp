/// What is still done when a fit is to end, and how long it takes.
#pragma once

#include "core/deadline.hpp"
#include "evaluation/machine_speed.hpp"
#include "fit/fit_plan.hpp"

namespace gpcv {

/// Work between the end of training and the result, by the cost model and the speed of this machine as measured. What
/// predictions need is always done: the model is conditioned on all rows.
class Stopping {
 public:
  /// At the speed of this machine where somebody asks for the time, or has limited it.
  Stopping(const FitPlan& plan, const FitOptions& options);
  Stopping(const FitPlan& plan, const Slowness& slowness);

  /// Whether the folds are evaluated once more where a request has ended training without their errors. It depends on
  /// the plan alone, so that a table gives the same model on any machine.
  bool validates() const { return validates_; }
  /// Real seconds of that evaluation.
  double seconds_of_validation() const { return validation_; }
  /// Estimated seconds from a request during training.
  double seconds_of_training() const;
  /// Estimated seconds from a request after training, before the model is conditioned.
  double seconds_afterwards() const;
  /// Estimated seconds from a request during trainings of outer folds, when the model is complete.
  double seconds_of_outer_folds() const;

  /// Keeps the time of what follows training, and tells how long a request may take.
  void before_training(Deadline& deadline) const;
  /// Keeps the time of conditioning.
  void before_calibration(Deadline& deadline) const;
  /// The factor by which the noise of a training that has ended early is raised, so that the model can be solved to two
  /// digits in the time that is left; 1 where it can as it is.
  double solvable_noise(const FitPlan& plan, const TrainResult& training, const Deadline& deadline) const;
  /// Whether the folds are to be evaluated once more after a training that has ended early.
  bool validates_before(const Deadline& deadline) const;
  /// Seconds that conditioning leaves to the verification of its residual and to what follows the fit.
  double reserve_of_verification() const { return verification_ + overhead_; }
  /// Seconds that outer folds leave to what follows the fit.
  double reserve_of_overhead() const { return overhead_; }
  /// Seconds of the least that gives a model: conditioning by the cheapest plan, and what follows the fit.
  double least() const { return least_; }

 private:
  double conditioning_within(double limit) const;
  double reserve_of_training(double limit) const;
  double reserve_of_calibration(double limit) const;

  Slowness slowness_;
  double step_ = 0;  ///< computation that is not interrupted
  double validation_ = 0, calibration_ = 0, conditioning_ = 0, verification_ = 0, least_ = 0, grace_ = 0;
  double overhead_ = 0;
  bool validates_ = true;
};

/// Gives the options the end of their fit, which every part of it asks by ComputeOptions::stop, unless they have one.
void begin_deadline(FitOptions& options);
/// Throws InputError with a sufficient limit where the time limit of the options allows no model of the data.
void require_enough_time(const Dataset& data, const FitOptions& options);
/// Says that the time limit has ended a training which nobody else has.
void say_time_limit(const Deadline& deadline, TrainResult& training);
/// Whether a stop or the time limit has ended a training.
bool has_ended(const TrainResult& training);
/// The status of a fit of which the deadline has left something out.
Status status_of_end(const Deadline& deadline);

}  // namespace gpcv
