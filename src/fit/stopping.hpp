/// What is still done when a fit is stopped, and how long it takes.
#pragma once

#include "fit/fit_plan.hpp"

namespace gpcv {

/// Work between a request to stop and the result, by the cost model and the speed of this machine as measured. What
/// predictions need is always done: the training ends its computation, and the model is conditioned on all rows.
class Stopping {
 public:
  explicit Stopping(const FitPlan& plan);

  /// Whether the folds are evaluated once more where training has not left their errors. It depends on the plan alone,
  /// so that a table gives the same model on any machine.
  bool validates() const { return validates_; }
  /// Estimated seconds from a request during training.
  double seconds_of_training() const;
  /// Estimated seconds from a request after training, before the model is conditioned.
  double seconds_afterwards() const;
  /// Estimated seconds from a request during trainings of outer folds, when the model is complete.
  double seconds_of_outer_folds() const;

 private:
  double step_ = 0;        ///< computation that is not interrupted, in seconds of the cost model
  double afterwards_ = 0;  ///< validation where it is done, calibration and conditioning
  bool validates_ = true;
  double slowness_ = 1;  ///< real seconds of a second of the cost model
};

}  // namespace gpcv
