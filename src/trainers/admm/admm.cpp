#include "trainers/admm/admm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/parallel.hpp"
#include "gpcv/error.hpp"
#include "trainers/admm/fold_runs.hpp"
#include "trainers/admm/holdout_admm.hpp"

namespace gpcv {
namespace {

/// Number of consecutive iterations with a growing constraint residual above `infeasible` after which ADMM counts as
/// diverged.
constexpr int most_growing = 10;
constexpr double infeasible = 10;

struct FoldEnd {
  Status status = Status::not_run;
  Vector log_theta;
  AdmmMeasures measures;
};

IterationRecord record_of(const HoldoutAdmm& admm, int start, int fold, int iteration, bool with_gap) {
  const AdmmMeasures& m = admm.measures();
  IterationRecord record;
  record.restart = start;
  record.fold = fold;
  record.iteration = iteration;
  record.objective = m.holdout_error;
  record.gradient_norm = m.gradient;
  const Vector theta = admm.log_theta().array().exp();
  record.theta.assign(theta.begin(), theta.end());
  record.measures = {m.constraint,
                     m.rho,
                     m.lagrangian,
                     m.z_norm,
                     static_cast<double>(m.cg_iterations),
                     m.theta_change,
                     m.z_change,
                     m.lambda_norm,
                     m.primal,
                     m.dual,
                     static_cast<double>(m.theta_steps),
                     m.theta_limited ? 1.0 : 0.0,
                     static_cast<double>(m.products)};
  if (with_gap) record.measures.push_back(m.gap);
  return record;
}

/// ADMM of one fold with the fold's share of the prior. It begins at its start, or at the state of an earlier process.
class FoldSweeps {
 public:
  FoldSweeps(FoldRun& run, int start, int fold, const Vector& log_theta, const FoldSweepsState* left)
      : run_(run),
        restart_(start),
        coordinates_(run.problem, run.options.admm.raw_theta),
        prior_(QuadraticPenalty::none(log_theta.size())) {
    const HoldoutProblem& holdout = run.holdouts[static_cast<std::size_t>(fold)];
    const AdmmOptions& how = run.options.admm;
    if (left != nullptr) {
      state_ = *left;
      require_same_shape(state_.start.size() == log_theta.size() && state_.admm.theta.size() == log_theta.size());
      admm_ = std::make_unique<HoldoutAdmm>(holdout, coordinates_, state_.admm, how, run.rank, run.compute);
    } else {
      Random random = fold_random(run.options, start, fold);
      admm_ = std::make_unique<HoldoutAdmm>(holdout, coordinates_, log_theta, how, run.rank, run.compute, random);
      // The fold's share of the prior is proportional to its number of validation rows.
      const double share = static_cast<double>(holdout.data().y_v.size()) / static_cast<double>(run.validated);
      state_.fold = fold;
      state_.start = log_theta;
      state_.prior_weight = share * run.options.prior * admm_->measures().holdout_error;
    }
    const Index p = log_theta.size();
    prior_ = QuadraticPenalty(state_.prior_weight * Matrix::Identity(p, p), coordinates_.from_log(state_.start));
  }

  HoldoutAdmm& admm() { return *admm_; }
  int iteration() const { return state_.admm.sweeps; }
  /// Status of a fold that an earlier process has finished; otherwise not_run.
  Status status() const { return state_.status; }

  void iterate() {
    admm_->iterate(prior_);
    ++state_.admm.sweeps;
  }

  bool observe(TrainingLog& training_log) const {
    return training_log.observe(
        record_of(*admm_, restart_, state_.fold, state_.admm.sweeps, run_.options.admm.trace_gap));
  }

  void keep(TrainingLog& training_log, Status status) const {
    if (!training_log.wants_states()) return;
    FoldSweepsState state{state_.fold, status, state_.start, state_.prior_weight, admm_->state()};
    training_log.keep<AdmmState>([&](AdmmState& all) {
      const auto known = std::find_if(all.folds.begin(), all.folds.end(),
                                      [&](const FoldSweepsState& other) { return other.fold == state.fold; });
      if (known == all.folds.end()) {
        all.folds.push_back(std::move(state));
      } else {
        *known = std::move(state);
      }
    });
  }

 private:
  FoldRun& run_;
  const int restart_;
  Coordinates coordinates_;
  QuadraticPenalty prior_;
  FoldSweepsState state_;  ///< the part that is constant over the sweeps, and the number of sweeps
  std::unique_ptr<HoldoutAdmm> admm_;
};

/// State in which an earlier process left a fold of this start; null if the fold has not begun.
const FoldSweepsState* left_at(const TrainingLog& training_log, int start, int fold) {
  const AdmmState* left = training_log.left_at<AdmmState>(start);
  if (left == nullptr) return nullptr;
  const auto found = std::find_if(left->folds.begin(), left->folds.end(),
                                  [&](const FoldSweepsState& state) { return state.fold == fold; });
  return found == left->folds.end() ? nullptr : &*found;
}

void sweep_until_done(FoldRun& run, int start, int fold, FoldEnd& end, TrainingLog& training_log) {
  const FoldSweepsState* left = left_at(training_log, start, fold);
  FoldSweeps sweeps(run, start, fold, end.log_theta, left);
  const HoldoutAdmm& admm = sweeps.admm();
  end.log_theta = admm.log_theta();
  end.measures = admm.measures();
  end.status = sweeps.status();
  if (end.status != Status::not_run) return;

  end.status = Status::stopped;
  double previous = admm.measures().constraint;
  int growing = 0;
  if (left == nullptr && !sweeps.observe(training_log)) return;
  while (sweeps.iteration() < run.options.max_iterations) {
    sweeps.iterate();
    const double constraint = admm.measures().constraint;
    growing = constraint > previous && constraint > infeasible ? growing + 1 : 0;
    previous = constraint;
    if (!admm.finite() || growing >= most_growing) {
      end.status = Status::numerical_failure;
      return;
    }
    if (constraint <= infeasible) {
      end.log_theta = admm.log_theta();
      end.measures = admm.measures();
    }
    const bool go_on = sweeps.observe(training_log);
    // A rule that looks at θ alone may end where the constraint is violated; the last good values are then kept.
    if (admm.finished()) end.status = constraint <= infeasible ? Status::converged : Status::numerical_failure;
    sweeps.keep(training_log, admm.finished() ? end.status : Status::not_run);
    if (admm.finished() || !go_on) return;
  }
  end.status = Status::max_iterations;
}

FoldEnd run_fold(FoldRun& run, int start, int fold, const Vector& log_theta, TrainingLog& training_log) {
  FoldEnd end{Status::stopped, log_theta, {}};
  try {
    sweep_until_done(run, start, fold, end, training_log);
  } catch (const Interrupted&) {
    end.status = Status::stopped;  // the last good θ is kept
  }
  return end;
}

/// The worst status of all folds, which is the status of the start.
Status worst(const std::vector<FoldEnd>& ends) {
  for (const Status status : {Status::numerical_failure, Status::stopped, Status::max_iterations}) {
    if (std::any_of(ends.begin(), ends.end(), [&](const FoldEnd& end) { return end.status == status; })) return status;
  }
  return Status::converged;
}

/// Both residuals of a start, because the published stopping rule checks neither, and θ-steps that a limit ended.
std::string remark_on(const AdmmOptions& options, const std::vector<FoldEnd>& ends) {
  double constraint = 0, gradient = 0;
  int limited = 0;
  for (const FoldEnd& end : ends) {
    constraint = std::max(constraint, end.measures.constraint);
    gradient = std::max(gradient, end.measures.gradient);
    limited += end.measures.limited_sweeps;
  }
  std::string remark = fmt::format("constraint residual {:.1e}, relative gradient {:.1e}", constraint, gradient);
  if (options.stop == StopRule::change && worst(ends) == Status::converged) {
    remark = fmt::format("the rule |dtheta| < {:g} checks nothing else: {}", options.epsilon, remark);
  }
  if (limited > 0) {
    remark += fmt::format("; the limit of {} steps ended the theta-step of {} iterations before its tolerance",
                          options.most_theta_steps(), limited);
  }
  return remark;
}

/// The mean of the folds' θ, or of their log θ if that is the optimised variable.
StartEnd averaged(const FoldRun& run, const std::vector<FoldEnd>& ends) {
  const Coordinates coordinates(run.problem, run.options.admm.raw_theta);
  Vector mean = Vector::Zero(ends.front().log_theta.size());
  for (const FoldEnd& end : ends) mean += coordinates.from_log(end.log_theta) / static_cast<double>(ends.size());
  return {worst(ends), coordinates.to_log(mean), remark_on(run.options.admm, ends)};
}

}  // namespace

std::string admm_steps(const TrainOptions& options) {
  return fmt::format("{} in {}, rho {}", name_of(options.admm.theta_step),
                     options.admm.raw_theta ? "theta" : "log theta", options.admm.rho);
}

TrainResult train_admm(const Problem& problem, const TrainOptions& options, const Observer& observer) {
  return train_by_folds(problem, options, observer,
                        [](FoldRun& run, int start, const Vector& log_theta, TrainingLog& training_log) {
                          std::vector<FoldEnd> ends(run.holdouts.size());
                          parallel_for(static_cast<int>(ends.size()), run.threads_across, [&](int k) {
                            ends[static_cast<std::size_t>(k)] = run_fold(run, start, k, log_theta, training_log);
                          });
                          return averaged(run, ends);
                        });
}

std::vector<std::string_view> admm_settings(std::initializer_list<std::string_view> more) {
  std::vector<std::string_view> names{"epsilon",      "prior",
                                      "preset",       "hold",
                                      "choose",       "variables",
                                      "stop",         "theta_step",
                                      "step_rule",    "step_size",
                                      "theta_steps",  "theta_tolerance",
                                      "armijo_start", "armijo_shrink",
                                      "armijo_slope", "rho",
                                      "rho_dual",     "balance_rho",
                                      "lambda0",      "perturbation",
                                      "z_tolerance",  "z_step_tolerance",
                                      "z_iterations", "precondition"};
  names.insert(names.end(), more);
  return names;
}

TrainerTraits naive_traits() {
  return {.info = {.name = "naive"},
          .settings = admm_settings({"trace_gap"}),
          .measures =
              [](const TrainOptions& options) {
                std::vector<std::string> names{
                    "constraint_residual", "rho",           "lagrangian",  "z_norm",          "cg_iterations",
                    "theta_change",        "z_change",      "lambda_norm", "primal_residual", "dual_residual",
                    "theta_steps",         "theta_limited", "products"};
                if (options.admm.trace_gap) names.emplace_back("gap");
                return names;
              },
          .steps = admm_steps,
          .cost =
              [](const Problem& problem, const TrainOptions& options) {
                return TrainingCost{fold_plan(problem, options, options.compute.threads).items, {}};
              },
          .train = train_admm};
}

TrainerTraits admm_traits() {
  TrainerTraits traits = naive_traits();
  traits.info.name = "admm";
  traits.info.one_fold = true;
  return traits;
}

}  // namespace gpcv
