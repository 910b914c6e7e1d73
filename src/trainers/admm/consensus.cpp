#include "trainers/admm/consensus.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "gpcv/error.hpp"
#include "trainers/admm/fold_runs.hpp"
#include "trainers/admm/holdout_admm.hpp"
#include "trainers/admm/holdout_error.hpp"
#include "trainers/likelihood/minimize.hpp"

namespace gpcv {
namespace {

/// Gauss–Newton steps of one fold in one round: the round's centre moves on anyway.
constexpr int steps_per_round = 2;
/// Rounds after which the metric no longer follows the curvature: a moving one would keep ADMM from settling.
constexpr int rounds_of_metric = 20;
/// The part of its largest residual that so many rounds must take off, or the penalty is too small.
constexpr int rounds_between_checks = 10;
constexpr double slow_progress = 0.5;

/// One fold's copy of θ and the engine that moves it.
class LocalCopy {
 public:
  /// At log_theta, or where an earlier process left it; another rank's copy only stands for it.
  LocalCopy(FoldRun& run, int start, int fold, const Vector& log_theta, const Coordinates& coordinates,
            const RunState* left, bool own)
      : error_(run.holdouts[static_cast<std::size_t>(fold)], coordinates, run.rank, run.compute),
        validated_(run.holdouts[static_cast<std::size_t>(fold)].data().y_v.size()),
        restart_(start),
        fold_(fold),
        theta_(left != nullptr ? left->theta : log_theta) {
    if (!own) return;
    if (left != nullptr) error_.start_from(left->weights.reshaped());
    const ErrorPoint point = error_.at(theta_, QuadraticPenalty::none(theta_.size()));
    squared_error_ = point.value;
    if (!std::isfinite(point.value)) return;
    const Matrix j = error_.jacobian(point);
    curvature_ = 2 * j.transpose() * j;
    gradient_ = 2 * j.transpose() * point.residual;
    if (run.options.consensus.inner != InnerEngine::admm) return;
    AdmmOptions options = run.options.admm;
    options.raw_theta = false;
    options.rho *= 10;  // the pull moves between its sweeps: λ must follow θ_k at once (measured)
    const HoldoutProblem& holdout = run.holdouts[static_cast<std::size_t>(fold)];
    if (left != nullptr) {
      admm_ = std::make_unique<HoldoutAdmm>(holdout, coordinates, *left, options, run.rank, run.compute);
    } else {
      Random random = fold_random(run.options, start, fold);
      admm_ = std::make_unique<HoldoutAdmm>(holdout, coordinates, log_theta, options, run.rank, run.compute, random);
    }
  }

  /// Where the copy itself cannot be solved for, it starts again from θ̄.
  void step(const QuadraticPenalty& pull, const Vector& centre) {
    if (admm_) {
      admm_->iterate(pull);
      theta_ = admm_->log_theta();
      squared_error_ = admm_->finite() ? admm_->measures().holdout_error * static_cast<double>(validated_)
                                       : std::numeric_limits<double>::quiet_NaN();
      gradient_ = admm_->gradient();
      if (admm_->curvature().size() > 0) curvature_ = admm_->curvature();
      return;
    }
    ErrorPoint point = error_.minimize(theta_, pull, steps_per_round);
    if (!std::isfinite(point.value)) point = error_.minimize(centre, pull, steps_per_round);
    squared_error_ = std::isfinite(point.value) ? point.residual.squaredNorm() : point.value;
    if (!std::isfinite(point.value)) return;
    theta_ = point.q;
    gradient_ = error_.gradient();
    curvature_ = error_.curvature();
  }

  /// Everybody learns from the fold's owner where the copy stands.
  void tell(const FoldGroups& communicator) {
    communicator.tell(fold_, theta_);
    communicator.tell(fold_, squared_error_);
    communicator.tell(fold_, gradient_);
    communicator.tell(fold_, curvature_);
  }

  RunState state() const {
    RunState state;
    if (admm_) {
      state = admm_->state();
    } else {
      state.theta = theta_;
      state.weights = error_.weights();
    }
    state.restart = restart_;
    state.fold = fold_;
    state.start = state.theta;  // the prior is the consensus's
    return state;
  }

  const Vector& theta() const { return theta_; }
  double squared_error() const { return squared_error_; }
  /// 2 JᵀJ and 2 Jᵀr of the fold's error, as last seen.
  const Matrix& curvature() const { return curvature_; }
  const Vector& gradient() const { return gradient_; }

 private:
  HoldoutError error_;
  std::unique_ptr<HoldoutAdmm> admm_;  ///< null: Gauss–Newton
  Index validated_;
  int restart_, fold_;
  Vector theta_, gradient_;
  double squared_error_ = 0;
  Matrix curvature_;
};

/// θ̄ and the duals: all that one round hands to the next.
class Consensus {
 public:
  /// From log_theta, or from where an earlier process left the copies and what they share.
  Consensus(FoldRun& run, int start, const Vector& log_theta, const TrainingLog& training_log)
      : run_(run),
        coordinates_(run.problem, false),
        rows_(run.validated),
        prior_(QuadraticPenalty::none(log_theta.size())) {
    shared_.restart = start;
    shared_.start = log_theta;
    centre_ = log_theta;
    const RunState* left = training_log.left_at(start, all_folds);
    copies_.resize(run.holdouts.size());
    each_fold([&](int k) {
      copies_[static_cast<std::size_t>(k)] = std::make_unique<LocalCopy>(
          run, start, k, log_theta, coordinates_, left != nullptr ? training_log.left_at(start, k) : nullptr, true);
    });
    for (std::size_t k = 0; k < copies_.size(); ++k) {
      if (copies_[k]) continue;
      copies_[k] =
          std::make_unique<LocalCopy>(run, start, static_cast<int>(k), log_theta, coordinates_, nullptr, false);
    }
    tell_all();
    squared_error_ = total_error();
    if (!std::isfinite(squared_error_)) return;
    const auto folds = static_cast<double>(copies_.size());
    // Each fold carries its share of the prior.
    shared_.prior_weight = run.options.prior * squared_error_ / static_cast<double>(rows_) / folds;
    duals_ = Matrix::Zero(log_theta.size(), static_cast<Index>(copies_.size()));
    scale_ = least_scale_ = run.options.consensus.rho;
    if (left != nullptr) restore(*left);
    prior_ = QuadraticPenalty(shared_.prior_weight * Matrix::Identity(centre_.size(), centre_.size()), shared_.start);
    if (left == nullptr) curvature_ = mean_curvature();
    metric_ = scale_ * curvature_;
  }

  bool finite() const { return std::isfinite(squared_error_) && metric_.allFinite() && centre_.allFinite(); }
  const Vector& centre() const { return centre_; }
  double primal() const { return primal_; }
  double dual() const { return dual_; }
  double gradient() const { return gradient_; }

  void round() {
    const Eigen::LDLT<Matrix> metric(metric_);
    // l_k + w_kᵀ(θ − θ̄) + ½ (θ − θ̄)ᵀM(θ − θ̄): a pull towards θ̄ − M⁻¹w_k.
    each_fold([&](int k) {
      QuadraticPenalty pull = prior_;
      pull += QuadraticPenalty(0.5 * metric_, centre_ - metric.solve(duals_.col(k)));
      copies_[static_cast<std::size_t>(k)]->step(pull, centre_);
    });
    tell_all();
    const auto folds = static_cast<double>(copies_.size());
    // θ̄ = mean_k(θ_k + M⁻¹w_k)
    Vector mean = metric.solve(duals_.rowwise().sum()) / folds;
    for (const auto& copy : copies_) mean += copy->theta() / folds;
    mean = coordinates_.clipped(mean);
    squared_error_ = total_error();
    primal_ = 0;
    Vector gradient = folds * prior_.gradient(centre_);
    for (Index k = 0; k < duals_.cols(); ++k) {
      const LocalCopy& copy = *copies_[static_cast<std::size_t>(k)];
      primal_ = std::max(primal_, (copy.theta() - mean).cwiseAbs().maxCoeff());
      duals_.col(k) += metric_ * (copy.theta() - mean);
      gradient += copy.gradient();
    }
    // The duals sum to zero, so that at the end of exact rounds Σ_k ∇l_k(θ_k) = K M (θ̄ − previous θ̄).
    const double unit = std::max(squared_error_, std::numeric_limits<double>::min());
    dual_ = folds * (metric_ * (mean - centre_)).cwiseAbs().maxCoeff() / unit;
    gradient_ = projected_norm(centre_, gradient, coordinates_.lower(), coordinates_.upper()) / unit;
    balance(mean);
    centre_ = mean;
    if (++rounds_ < rounds_of_metric) curvature_ = mean_curvature();
    metric_ = scale_ * curvature_;
  }

  int rounds() const { return rounds_; }

  /// The copies, and θ̄ with the duals.
  void keep(TrainingLog& training_log, Status status) const {
    if (!training_log.wants_states()) return;
    std::vector<RunState> states;
    for (std::size_t k = 0; k < copies_.size(); ++k) {
      RunState state = copies_[k]->state();
      run_.fold_groups.tell(static_cast<int>(k), state);
      states.push_back(std::move(state));
    }
    RunState shared = shared_;
    shared.status = status;
    shared.iteration = rounds_;
    shared.theta = centre_;
    shared.objective = squared_error_ / static_cast<double>(rows_);
    shared.multipliers = duals_;
    shared.curvature = curvature_;
    shared.steering = Vector{{scale_, least_scale_, largest_, previous_largest_, primal_, dual_, gradient_}};
    states.push_back(std::move(shared));
    training_log.keep(std::move(states));
  }
  /// Of a start that was over before.
  Status status() const { return shared_.status; }

  double worst() const { return std::max({primal_, dual_, gradient_}); }
  bool finished() const { return worst() <= run_.options.consensus.epsilon; }

  IterationRecord record() const {
    IterationRecord record;
    record.restart = shared_.restart;
    record.iteration = rounds_;
    record.objective = squared_error_ / static_cast<double>(rows_);
    record.gradient_norm = gradient_;
    const Vector theta = centre_.array().exp();
    record.theta.assign(theta.begin(), theta.end());
    record.measures = {primal_, dual_};
    return record;
  }

 private:
  void restore(const RunState& left) {
    if (left.multipliers.rows() != duals_.rows() || left.multipliers.cols() != duals_.cols() ||
        left.curvature.rows() != duals_.rows() || left.curvature.cols() != duals_.rows() || left.steering.size() != 7) {
      throw InputError("the checkpoint is of another trainer or of other folds");
    }
    shared_ = left;
    centre_ = left.theta;
    duals_ = left.multipliers;
    curvature_ = left.curvature;
    rounds_ = left.iteration;
    scale_ = left.steering(0);
    least_scale_ = left.steering(1);
    largest_ = left.steering(2);
    previous_largest_ = left.steering(3);
    primal_ = left.steering(4);
    dual_ = left.steering(5);
    gradient_ = left.steering(6);
  }

  void each_fold(const std::function<void(int)>& work) {
    run_.fold_groups.each_fold(static_cast<int>(copies_.size()), run_.threads_across, work);
  }
  void tell_all() {
    for (const auto& copy : copies_) copy->tell(run_.fold_groups);
  }
  double total_error() const {
    double sum = 0;
    for (const auto& copy : copies_) sum += copy->squared_error();
    return sum;
  }
  /// Of the folds' errors and the prior: what holds the copies together is then as stiff in each direction as what
  /// drives them apart.
  Matrix mean_curvature() const {
    Matrix curvature = 2 * prior_.weight();
    for (const auto& copy : copies_) curvature += copy->curvature() / static_cast<double>(copies_.size());
    // A direction that no fold sees still needs a penalty to keep the copies together.
    curvature.diagonal().array() += 1e-4 * curvature.diagonal().mean() + std::numeric_limits<double>::min();
    return curvature;
  }
  /// Folds that disagree more than θ̄ moves ask for a larger penalty, and the other way round.
  void balance(const Vector& mean) {
    auto norm = [&](const Vector& v) { return v.dot(metric_ * v); };
    double apart = 0;
    for (const auto& copy : copies_) apart += norm(copy->theta() - mean);
    const double moved = static_cast<double>(copies_.size()) * norm(mean - centre_);
    constexpr double imbalance = 10 * 10;  // of squares
    if (apart > imbalance * moved) scale_ = std::min(1.5 * scale_, 100 * run_.options.consensus.rho);
    if (moved > imbalance * apart) scale_ = std::max(scale_ / 1.5, least_scale_);
    // Errors that are not convex make too small a penalty swing for ever: without progress it grows for good.
    largest_ = std::max(largest_, worst());
    if ((rounds_ + 1) % rounds_between_checks != 0) return;
    if (largest_ > slow_progress * previous_largest_) {
      least_scale_ = std::min(2 * least_scale_, 100 * run_.options.consensus.rho);
      scale_ = std::max(scale_, least_scale_);
    }
    previous_largest_ = std::exchange(largest_, 0);
  }

  FoldRun& run_;
  Coordinates coordinates_;
  std::vector<std::unique_ptr<LocalCopy>> copies_;
  Index rows_;  ///< validated, over all folds
  double squared_error_ = 0;
  RunState shared_;  ///< what does not change from round to round
  QuadraticPenalty prior_;
  Vector centre_;
  Matrix duals_;               ///< w_k, one column per fold
  Matrix curvature_, metric_;  ///< M is the curvature times ρ, balanced
  double scale_ = 1, least_scale_ = 1;
  double largest_ = 0, previous_largest_ = std::numeric_limits<double>::infinity();  ///< residual between two checks
  int rounds_ = 0;
  double primal_ = 0, dual_ = 0, gradient_ = 0;
};

void rounds_until_done(Consensus& consensus, FoldRun& run, StartEnd& end, TrainingLog& training_log) {
  end.log_theta = consensus.centre();
  end.status = consensus.status();
  if (end.status != Status::not_run) return;
  end.status = Status::stopped;
  if (consensus.rounds() == 0 && !training_log.observe(consensus.record())) return;
  while (consensus.rounds() < run.options.max_iterations) {
    consensus.round();
    if (!consensus.finite()) {
      end.status = Status::numerical_failure;
      return;
    }
    end.log_theta = consensus.centre();
    const bool go_on = training_log.observe(consensus.record());
    if (consensus.finished()) end.status = Status::converged;
    consensus.keep(training_log, consensus.finished() ? Status::converged : Status::not_run);
    if (consensus.finished() || !go_on) return;
  }
  end.status = Status::max_iterations;
}

StartEnd run_start(FoldRun& run, int start, const Vector& log_theta, TrainingLog& training_log) {
  StartEnd end{Status::numerical_failure, log_theta, ""};
  try {
    Consensus consensus(run, start, log_theta, training_log);
    if (!consensus.finite()) return end;
    try {
      rounds_until_done(consensus, run, end, training_log);
    } catch (const Interrupted&) {
      end.status = Status::stopped;  // with the last good θ
    }
    end.remark = fmt::format("primal residual {:.1e}, dual residual {:.1e}, relative gradient {:.1e}",
                             consensus.primal(), consensus.dual(), consensus.gradient());
  } catch (const Interrupted&) {
    end.status = Status::stopped;
  }
  return end;
}

}  // namespace

TrainResult train_consensus(const Problem& problem, const TrainOptions& options, const Observer& observer) {
  return train_by_folds(problem, options, observer, run_start, true);
}

}  // namespace gpcv
