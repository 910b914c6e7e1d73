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
#include "trainers/admm/local_copy.hpp"
#include "trainers/common/minimize.hpp"

namespace gpcv {
namespace {

/// Number of rounds after which the metric no longer follows the curvature: a changing metric would keep ADMM from
/// converging.
constexpr int rounds_of_metric = 20;
/// The penalty is too small if this many rounds do not reduce the largest residual to this fraction.
constexpr int rounds_between_checks = 10;
constexpr double slow_consensus = 0.5;

/// Consensus ADMM: the folds' copies, their centre θ̄ and the duals w_k, in the coordinates q = log θ or q = θ.
class Consensus {
 public:
  /// Starts at log_theta, or where an earlier process left the copies and what they share.
  Consensus(FoldRun& run, int start, const Vector& log_theta, const TrainingLog& training_log)
      : run_(run),
        restart_(start),
        coordinates_(run.problem, run.options.admm.raw_theta),
        rows_(run.validated),
        prior_(QuadraticPenalty::none(log_theta.size())) {
    const auto folds = static_cast<Index>(run.holdouts.size());
    const ConsensusState* left = training_log.left_at<ConsensusState>(start);
    if (left != nullptr) require_shape(*left, log_theta.size(), folds);
    const Vector from = coordinates_.from_log(log_theta);
    copies_.resize(run.holdouts.size());
    each_fold([&](int k) {
      const auto fold = static_cast<std::size_t>(k);
      copies_[fold] = std::make_unique<LocalCopy>(run, start, k, from, coordinates_,
                                                  left != nullptr ? &left->copies[fold] : nullptr, true);
    });
    for (std::size_t k = 0; k < copies_.size(); ++k) {
      if (copies_[k]) continue;
      copies_[k] = std::make_unique<LocalCopy>(run, start, static_cast<int>(k), from, coordinates_, nullptr, false);
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
    centre_ = coordinates_.from_log(state_.centre);
    prior_ = QuadraticPenalty(state_.prior_weight * Matrix::Identity(log_theta.size(), log_theta.size()),
                              coordinates_.from_log(state_.start));
    if (left == nullptr) state_.curvature = metric_shape();
    metric_ = state_.scale * state_.curvature;
  }

  bool finite() const { return std::isfinite(squared_error_) && metric_.allFinite() && state_.centre.allFinite(); }
  const Vector& log_theta() const { return state_.centre; }
  /// Residuals of the last round and, if they are too large, what would reduce them.
  std::string remark(Status status) const {
    std::string text = fmt::format("primal residual {:.1e}, dual residual {:.1e}, relative gradient {:.1e}",
                                   state_.primal, state_.dual, state_.gradient);
    if (status != Status::max_iterations) return text;
    const double epsilon = run_.options.consensus.epsilon;
    const bool apart = state_.primal > epsilon, moving = std::max(state_.dual, state_.gradient) > epsilon;
    if (apart && moving) return text + "; the folds still disagree and move: more iterations help";
    return text +
           (apart ? "; the folds still disagree: more iterations or a larger penalty of consensus bring them together"
                  : "; the folds agree but still move: more iterations or a smaller penalty of consensus help");
  }

  void round() {
    const Eigen::LDLT<Matrix> metric(metric_);
    // l_k + w_kᵀ(q − q̄) + ½ (q − q̄)ᵀM(q − q̄) is l_k with a penalty centred at q̄ − M⁻¹w_k.
    each_fold([&](int k) {
      QuadraticPenalty penalty = prior_;
      penalty += QuadraticPenalty(0.5 * metric_, centre_ - metric.solve(state_.duals.col(k)));
      copies_[static_cast<std::size_t>(k)]->step(penalty, centre_);
    });
    broadcast_copies();
    const auto folds = static_cast<double>(copies_.size());
    // q̄ = mean_k(q_k + M⁻¹w_k)
    Vector mean = metric.solve(state_.duals.rowwise().sum()) / folds;
    for (const auto& copy : copies_) mean += copy->q() / folds;
    mean = coordinates_.clipped(mean);
    squared_error_ = total_error();
    measure(mean);
    for (Index k = 0; k < state_.duals.cols(); ++k) {
      state_.duals.col(k) += metric_ * (copies_[static_cast<std::size_t>(k)]->q() - mean);
    }
    balance(mean);
    centre_ = mean;
    state_.centre = coordinates_.to_log(mean);
    if (++state_.rounds < rounds_of_metric) state_.curvature = metric_shape();
    metric_ = state_.scale * state_.curvature;
  }

  int rounds() const { return state_.rounds; }

  /// Hands the copies, θ̄ and the duals to the log.
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
  /// Status of a start that an earlier process has finished; otherwise not_run.
  Status status() const { return state_.status; }

  double worst() const { return std::max({state_.primal, state_.dual, state_.gradient}); }
  bool finished() const {
    return run_.options.admm.stop != StopRule::none && worst() <= run_.options.consensus.epsilon;
  }

  IterationRecord record() const {
    IterationRecord record;
    record.restart = restart_;
    record.iteration = state_.rounds;
    record.objective = squared_error_ / static_cast<double>(rows_);
    record.gradient_norm = state_.gradient;
    const Vector theta = state_.centre.array().exp();
    record.theta.assign(theta.begin(), theta.end());
    record.measures = {state_.primal, state_.dual, change_, state_.duals.norm(), state_.scale};
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
  /// Residuals of the round that ends with the centre `mean`, all of them in log θ.
  void measure(const Vector& mean) {
    const auto folds = static_cast<double>(copies_.size());
    state_.primal = 0;
    Vector gradient = folds * prior_.gradient(centre_);
    for (const auto& copy : copies_) {
      const Vector apart = coordinates_.to_log(copy->q()) - coordinates_.to_log(mean);
      state_.primal = std::max(state_.primal, apart.cwiseAbs().maxCoeff());
      gradient += copy->gradient();
    }
    // The duals sum to zero, so that at the end of exact rounds Σ_k ∇l_k(q_k) = K M (q̄ − previous q̄).
    const double unit = std::max(squared_error_, std::numeric_limits<double>::min());
    const Vector chain = coordinates_.chain(centre_);
    state_.dual = folds * (metric_ * (mean - centre_)).cwiseQuotient(chain).cwiseAbs().maxCoeff() / unit;
    state_.gradient =
        projected_norm(centre_, gradient.cwiseQuotient(chain), coordinates_.lower(), coordinates_.upper()) / unit;
    change_ = (coordinates_.to_log(mean) - state_.centre).norm();
  }

  /// Shape of the penalty: the identity, or the mean curvature of the folds' errors and the prior, so that the penalty
  /// is as stiff in each direction as the errors that drive the copies apart.
  Matrix metric_shape() const {
    if (run_.options.consensus.penalty == ConsensusPenalty::scalar) {
      return Matrix::Identity(state_.start.size(), state_.start.size());
    }
    Matrix curvature = 2 * prior_.weight();
    for (const auto& copy : copies_) curvature += copy->curvature() / static_cast<double>(copies_.size());
    // A direction in which no fold's error changes still needs a penalty to keep the copies together.
    curvature.diagonal().array() += 1e-4 * curvature.diagonal().mean() + std::numeric_limits<double>::min();
    return curvature;
  }

  /// Adapts the penalty, unless it is the scalar of the options. If the folds disagree more than θ̄ moves, the penalty
  /// grows, and the reverse.
  void balance(const Vector& mean) {
    if (run_.options.consensus.penalty == ConsensusPenalty::scalar) return;
    auto norm = [&](const Vector& v) { return v.dot(metric_ * v); };
    double apart = 0;
    for (const auto& copy : copies_) apart += norm(copy->q() - mean);
    const double moved = static_cast<double>(copies_.size()) * norm(mean - centre_);
    constexpr double imbalance = 10 * 10;  // of squares
    if (apart > imbalance * moved) state_.scale = std::min(1.5 * state_.scale, 100 * run_.options.consensus.rho);
    if (moved > imbalance * apart) state_.scale = std::max(state_.scale / 1.5, state_.least_scale);
    // With errors that are not convex, too small a penalty oscillates for ever: without progress its minimum grows.
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
  Index rows_;         ///< number of validated rows, over all folds
  Vector centre_;      ///< q̄
  double change_ = 0;  ///< ‖Δ log θ̄‖ of the last round
  double squared_error_ = 0;
  QuadraticPenalty prior_;
  ConsensusState state_;  ///< state without those of the copies
  Matrix metric_;         ///< M, the penalty's shape times its scale
};

void rounds_until_done(Consensus& consensus, FoldRun& run, StartEnd& end, TrainingLog& training_log) {
  end.log_theta = consensus.log_theta();
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
    end.log_theta = consensus.log_theta();
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
      end.status = Status::stopped;  // the last good θ is kept
    }
    end.remark = consensus.remark(end.status);
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
  return {.info = {.name = "consensus", .shares_theta = true},
          .settings = admm_settings({"inner", "consensus_penalty", "rho_consensus"}),
          .measures =
              [](const TrainOptions&) {
                return std::vector<std::string>{"primal_residual", "dual_residual", "theta_change", "dual_norm", "rho"};
              },
          .steps =
              [](const TrainOptions& options) {
                const InnerEngine inner = options.consensus.inner;
                return fmt::format("{} within a consensus, {} penalty {}",
                                   inner == InnerEngine::admm ? admm_steps(options) : std::string(name_of(inner)),
                                   name_of(options.consensus.penalty), options.consensus.rho);
              },
          .cost =
              [](const Problem& problem, const TrainOptions& options) {
                // Every fold stays alive from round to round.
                return TrainingCost{fold_plan(problem, options, problem.folds.size()).items, {}};
              },
          .train = train_consensus};
}

}  // namespace gpcv
