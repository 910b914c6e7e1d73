#include "trainers/admm/local_copy.hpp"

#include <cmath>
#include <limits>

#include "trainers/common/training_state.hpp"

namespace gpcv {
namespace {

/// Gauss–Newton steps of one fold in one round. The centre of the next round differs, so that a few steps suffice where
/// the penalty follows the curvature. A scalar penalty converges slowly, and its theory asks for exact minima.
constexpr int steps_per_round = 2, steps_to_minimum = 50;

}  // namespace

LocalCopy::LocalCopy(FoldRun& run, int start, int fold, const Vector& q, const Coordinates& coordinates,
                     const LocalCopyState* left, bool own)
    : error_(run.problem, run.problem.folds.folds[static_cast<std::size_t>(fold)], coordinates, run.rank, run.compute),
      coordinates_(coordinates),
      validated_(run.holdouts[static_cast<std::size_t>(fold)].data().y_v.size()),
      fold_(fold),
      steps_(run.options.consensus.penalty == ConsensusPenalty::scalar ? steps_to_minimum : steps_per_round),
      q_(left != nullptr ? coordinates.from_log(left->theta) : q) {
  if (!own) return;
  if (left != nullptr) error_.start_from(left->weights);
  const ErrorPoint point = error_.at(q_, QuadraticPenalty::none(q_.size()));
  squared_error_ = point.value;
  if (!std::isfinite(point.value)) return;
  error_.differentiate(q_);
  curvature_ = error_.curvature();
  gradient_ = error_.gradient();
  if (run.options.consensus.inner != InnerEngine::admm) return;
  const HoldoutProblem& holdout = run.holdouts[static_cast<std::size_t>(fold)];
  const AdmmOptions& options = run.options.admm;
  if (left != nullptr) {
    require_same_shape(left->admm.theta.size() == q_.size());
    admm_ = std::make_unique<HoldoutAdmm>(holdout, coordinates, left->admm, options, run.rank, run.compute);
  } else {
    Random random = fold_random(run.options, start, fold);
    admm_ = std::make_unique<HoldoutAdmm>(holdout, coordinates, coordinates.to_log(q), options, run.rank, run.compute,
                                          random);
  }
}

void LocalCopy::step(const QuadraticPenalty& penalty, const Vector& centre) {
  if (admm_) {
    admm_->iterate(penalty);
    q_ = coordinates_.from_log(admm_->log_theta());
    squared_error_ = admm_->finite() ? admm_->measures().holdout_error * static_cast<double>(validated_)
                                     : std::numeric_limits<double>::quiet_NaN();
    gradient_ = admm_->gradient().cwiseProduct(coordinates_.chain(q_));
    if (admm_->curvature().size() > 0) curvature_ = admm_->curvature();
    return;
  }
  ErrorPoint point = error_.minimize(q_, penalty, steps_);
  if (!std::isfinite(point.value)) point = error_.minimize(centre, penalty, steps_);
  squared_error_ = point.squared_error;
  if (!std::isfinite(point.value)) return;
  q_ = point.q;
  gradient_ = error_.gradient();
  curvature_ = error_.curvature();
}

void LocalCopy::broadcast(const FoldGroups& fold_groups) {
  fold_groups.broadcast(fold_, q_);
  fold_groups.broadcast(fold_, squared_error_);
  fold_groups.broadcast(fold_, gradient_);
  fold_groups.broadcast(fold_, curvature_);
}

LocalCopyState LocalCopy::state() const {
  if (!admm_) return {coordinates_.to_log(q_), error_.weights(), {}};
  return {coordinates_.to_log(q_), {}, admm_->state()};
}

}  // namespace gpcv
