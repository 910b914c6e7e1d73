/// One fold's copy of θ in a consensus.
#pragma once

#include <memory>

#include "trainers/admm/consensus_state.hpp"
#include "trainers/admm/fold_runs.hpp"
#include "trainers/admm/holdout_admm.hpp"
#include "trainers/admm/holdout_error.hpp"

namespace gpcv {

/// One fold's copy of θ and the engine that moves it, in the coordinates q = log θ or q = θ.
class LocalCopy {
 public:
  /// Starts at q, or where an earlier process left the copy. A copy that another rank owns only receives its values.
  LocalCopy(FoldRun& run, int start, int fold, const Vector& q, const Coordinates& coordinates,
            const LocalCopyState* left, bool own);

  /// Minimises the fold's error with the penalty. A copy whose own error cannot be evaluated restarts from the centre.
  void step(const QuadraticPenalty& penalty, const Vector& centre);

  /// Gives every rank the values of the fold's owner.
  void broadcast(const FoldGroups& fold_groups);

  /// State from which the copy resumes.
  LocalCopyState state() const;

  const Vector& q() const { return q_; }
  double squared_error() const { return squared_error_; }
  /// Curvature 2 JᵀJ and gradient 2 Jᵀr of the fold's error where the last step began.
  const Matrix& curvature() const { return curvature_; }
  const Vector& gradient() const { return gradient_; }

 private:
  HoldoutError error_;
  const Coordinates& coordinates_;
  std::unique_ptr<HoldoutAdmm> admm_;  ///< null with Gauss–Newton
  Index validated_;
  int fold_;
  int steps_;  ///< limit of Gauss–Newton steps per round
  Vector q_, gradient_;
  double squared_error_ = 0;
  Matrix curvature_;
};

}  // namespace gpcv
