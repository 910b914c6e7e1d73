#include "trainers/admm/consensus.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "gpcv/error.hpp"
#include "trainers/admm/admm.hpp"
#include "trainers/admm/consensus_state.hpp"
#include "trainers/admm/fold_runs.hpp"
#include "trainers/admm/holdout_admm.hpp"
#include "trainers/admm/holdout_error.hpp"
#include "trainers/common/minimize.hpp"

namespace gpcv {
namespace {

/// Gauss–Newton steps of one fold in one round: the round's centre moves on anyway.
constexpr int steps_per_round = 2;
/// Rounds after which the metric no longer follows the curvature: a moving one would keep ADMM from settling.
constexpr int rounds_of_metric = 20;
/// The part of its largest residual that so many rounds must take off, or the penalty is too small.
constexpr int rounds_between_checks = 10;
constexpr double slow_consensus = 0.5;

/// One fold's copy of θ and the engine that moves it.
class LocalCopy {
 public:
  /// At log_theta, or where an earlier process left it; another rank's copy only stands for it.
  LocalCopy(FoldRun& run, int start, int fold, const Vector& log_theta, const Coordinates& coordinates,
            const LocalCopyState* left, bool own)
      : error_(run.problem, run.problem.folds.folds[static_cast<std::size_t>(fold)], coordinates, run.rank,
               run.compute),
        validated_(run.holdouts[static_cast<std::size_t>(fold)].data().y_v.size()),
        fold_(fold),
        theta_(left != nullptr ? left->theta : log_theta) {
    if (!own) return;
    if (left != nullptr) error_.start_from(left->weights);
    const ErrorPoint point = error_.at(theta_, QuadraticPenalty::none(theta_.size()));
    squared_error_ = point.value;
    if (!std::isfinite(point.value)) return;
    error_.differentiate();
    curvature_ = error_.curvature();
    gradient_ = error_.gradient();
    if (run.options.consensus.inner != InnerEngine::admm) return;
    AdmmOptions options = run.options.admm;
    options.raw_theta = false;
    options.rho *= 10;  // the pull moves between its sweeps: λ must follow θ_k at once (measured)
    const HoldoutProblem& holdout = run.holdouts[static_cast<std::size_t>(fold)];
    if (left != nullptr) {
      require_same_shape(left->admm.theta.size() == theta_.size());
      admm_ = std::make_unique<HoldoutAdmm>(holdout, coordinates, left->admm, options, run.rank, run.compute);
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
    squared_error_ = point.squared_error;
    if (!std::isfinite(point.value)) return;
    theta_ = point.q;
    gradient_ = error_.gradient();
    curvature_ = error_.curvature();
  }

  /// Everybody learns from the fold's owner where the copy stands.
  void broadcast(const FoldGroups& fold_groups) {
    fold_groups.broadcast(fold_, theta_);
    fold_groups.broadcast(fold_, squared_error_);
    fold_groups.broadcast(fold_, gradient_);
    fold_groups.broadcast(fold_, curvature_);
  }

  LocalCopyState state() const {
    if (!admm_) return {theta_, error_.weights(), {}};
    return {theta_, {}, admm_->state()};
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
  int fold_;
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
        restart_(start),
        coordinates_(run.problem, false),
        rows_(run.validated),
        prior_(QuadraticPenalty::none(log_theta.size())) {
    const auto folds = static_cast<Index>(run.holdouts.size());
    const ConsensusState* left = training_log.left_at<ConsensusState>(start);
    if (left != nullptr) require_shape(*left, log_theta.size(), folds);
    copies_.resize(run.holdouts.size());
    each_fold([&](int k) {
      const auto fold = static_cast<std::size_t>(k);
      copies_[fold] = std::make_unique<LocalCopy>(run, start, k, log_theta, coordinates_,
                                                  left != nullptr ? &left->copies[fold] : nullptr, true);
    });
    for (std::size_t k = 0; k < copies_.size(); ++k) {
      if (copies_[k]) continue;
      copies_[k] =
          std::make_unique<LocalCopy>(run, start, static_cast<int>(k), log_theta, coordinates_, nullptr, false);
    }
    broadcast_copies();
    squared_error_ = total_error();
    if (left != nullptr) {
      state_ = *left;
      state_.copies.clear();
    } else {
      state_.start = state_.centre = log_theta;
      // Each fold carries its share of the prior.
      state_.prior_weight =
          run.options.prior * squared_error_ / static_cast<double>(rows_) / static_cast<double>(folds);
      state_.duals = Matrix::Zero(log_theta.size(), folds);
      state_.scale = state_.least_scale = run.options.consensus.rho;
    }
    if (!std::isfinite(squared_error_)) return;
    prior_ = QuadraticPenalty(state_.prior_weight * Matrix::Identity(log_theta.size(), log_theta.size()), state_.start);
    if (left == nullptr) state_.curvature = mean_curvature();
    metric_ = state_.scale * state_.curvature;
  }

  bool finite() const { return std::isfinite(squared_error_) && metric_.allFinite() && state_.centre.allFinite(); }
  const Vector& centre() const { return state_.centre; }
  double primal() const { return state_.primal; }
  double dual() const { return state_.dual; }
  double gradient() const { return state_.gradient; }

  void round() {
    const Eigen::LDLT<Matrix> metric(metric_);
    // l_k + w_kᵀ(θ − θ̄) + ½ (θ − θ̄)ᵀM(θ − θ̄): a pull towards θ̄ − M⁻¹w_k.
    each_fold([&](int k) {
      QuadraticPenalty pull = prior_;
      pull += QuadraticPenalty(0.5 * metric_, state_.centre - metric.solve(state_.duals.col(k)));
      copies_[static_cast<std::size_t>(k)]->step(pull, state_.centre);
    });
    broadcast_copies();
    const auto folds = static_cast<double>(copies_.size());
    // θ̄ = mean_k(θ_k + M⁻¹w_k)
    Vector mean = metric.solve(state_.duals.rowwise().sum()) / folds;
    for (const auto& copy : copies_) mean += copy->theta() / folds;
    mean = coordinates_.clipped(mean);
    squared_error_ = total_error();
    state_.primal = 0;
    Vector gradient = folds * prior_.gradient(state_.centre);
    for (Index k = 0; k < state_.duals.cols(); ++k) {
      const LocalCopy& copy = *copies_[static_cast<std::size_t>(k)];
      state_.primal = std::max(state_.primal, (copy.theta() - mean).cwiseAbs().maxCoeff());
      state_.duals.col(k) += metric_ * (copy.theta() - mean);
      gradient += copy.gradient();
    }
    // The duals sum to zero, so that at the end of exact rounds Σ_k ∇l_k(θ_k) = K M (θ̄ − previous θ̄).
    const double unit = std::max(squared_error_, std::numeric_limits<double>::min());
    state_.dual = folds * (metric_ * (mean - state_.centre)).cwiseAbs().maxCoeff() / unit;
    state_.gradient = projected_norm(state_.centre, gradient, coordinates_.lower(), coordinates_.upper()) / unit;
    balance(mean);
    state_.centre = mean;
    if (++state_.rounds < rounds_of_metric) state_.curvature = mean_curvature();
    metric_ = state_.scale * state_.curvature;
  }

  int rounds() const { return state_.rounds; }

  /// Keeps the copies, and θ̄ with the duals.
  void keep(TrainingLog& training_log, Status status) const {
    if (!training_log.wants_states()) return;
    ConsensusState state = state_;
    state.status = status;
    for (std::size_t k = 0; k < copies_.size(); ++k) {
      state.copies.push_back(copies_[k]->state());
      run_.fold_groups.broadcast(static_cast<int>(k), state.copies.back());
    }
    training_log.keep<ConsensusState>([&](ConsensusState& kept) { kept = std::move(state); });
  }
  /// Of a start that was over before.
  Status status() const { return state_.status; }

  double worst() const { return std::max({state_.primal, state_.dual, state_.gradient}); }
  bool finished() const { return worst() <= run_.options.consensus.epsilon; }

  IterationRecord record() const {
    IterationRecord record;
    record.restart = restart_;
    record.iteration = state_.rounds;
    record.objective = squared_error_ / static_cast<double>(rows_);
    record.gradient_norm = state_.gradient;
    const Vector theta = state_.centre.array().exp();
    record.theta.assign(theta.begin(), theta.end());
    record.measures = {state_.primal, state_.dual};
    return record;
  }

 private:
  static void require_shape(const ConsensusState& left, Index p, Index folds) {
    const auto is = [](const Matrix& matrix, Index rows, Index columns) {
      return matrix.rows() == rows && matrix.cols() == columns;
    };
    bool same = is(left.duals, p, folds) && is(left.curvature, p, p) && left.start.size() == p &&
                left.centre.size() == p && static_cast<Index>(left.copies.size()) == folds;
    for (const LocalCopyState& copy : left.copies) same = same && copy.theta.size() == p;
    require_same_shape(same);
  }

  void each_fold(const std::function<void(int)>& work) {
    run_.fold_groups.each_fold(static_cast<int>(copies_.size()), run_.threads_across, work);
  }
  void broadcast_copies() {
    for (const auto& copy : copies_) copy->broadcast(run_.fold_groups);
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
    const double moved = static_cast<double>(copies_.size()) * norm(mean - state_.centre);
    constexpr double imbalance = 10 * 10;  // of squares
    if (apart > imbalance * moved) state_.scale = std::min(1.5 * state_.scale, 100 * run_.options.consensus.rho);
    if (moved > imbalance * apart) state_.scale = std::max(state_.scale / 1.5, state_.least_scale);
    // Errors that are not convex make too small a penalty swing for ever: without progress it grows for good.
    state_.largest = std::max(state_.largest, worst());
    if ((state_.rounds + 1) % rounds_between_checks != 0) return;
    if (state_.largest > slow_consensus * state_.previous_largest) {
      state_.least_scale = std::min(2 * state_.least_scale, 100 * run_.options.consensus.rho);
      state_.scale = std::max(state_.scale, state_.least_scale);
    }
    state_.previous_largest = std::exchange(state_.largest, 0);
  }

  FoldRun& run_;
  const int restart_;
  Coordinates coordinates_;
  std::vector<std::unique_ptr<LocalCopy>> copies_;
  Index rows_;  ///< validated, over all folds
  double squared_error_ = 0;
  QuadraticPenalty prior_;
  ConsensusState state_;  ///< without the copies' states
  Matrix metric_;         ///< M, the curvature times the balanced ρ
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

TrainerTraits consensus_traits() {
  return {
      .info = {.name = "consensus"},
      .settings = {"epsilon", "prior", "preset", "theta_step", "rho", "rho_dual", "lambda0", "inner", "rho_consensus"},
      .measures =
          [](const TrainOptions&) {
            return std::vector<std::string>{"primal_residual", "dual_residual"};
          },
      .steps =
          [](const TrainOptions& options) {
            const InnerEngine inner = options.consensus.inner;
            return fmt::format("{} within a consensus, rho {}",
                               inner == InnerEngine::admm ? admm_steps(options) : std::string(name_of(inner)),
                               options.consensus.rho);
          },
      .cost =
          [](const Problem& problem, const TrainOptions& options) {
            // Every fold stays alive from round to round.
            return TrainingCost{fold_plan(problem, options, problem.folds.size()).items, {}};
          },
      .train = train_consensus};
}

}  // namespace gpcv
