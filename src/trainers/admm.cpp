#include "trainers/admm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "gpcv/error.hpp"
#include "trainers/fold_runs.hpp"
#include "trainers/holdout_admm.hpp"

namespace gpcv {
namespace {

/// Iterations in a row with a growing constraint residual, all above this size, after which ADMM has diverged.
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
  record.measures = {m.constraint, m.rho, m.lagrangian, m.z_norm, static_cast<double>(m.cg_iterations)};
  if (with_gap) record.measures.push_back(m.gap);
  return record;
}

void sweep_until_done(FoldRun& run, int start, int fold, FoldEnd& end, FoldObserver& observe) {
  const TrainOptions& options = run.options;
  const HoldoutProblem& holdout = run.holdouts[static_cast<std::size_t>(fold)];
  const Coordinates coordinates(run.problem, options.admm.raw_theta);
  const Vector log_theta = end.log_theta;
  Random random = fold_random(options, start, fold);
  HoldoutAdmm admm(holdout, coordinates, log_theta, options.admm, run.rank, run.compute, random);
  const Index p = log_theta.size();
  // The fold's share of the prior, in proportion to what it validates.
  const double share = static_cast<double>(holdout.data().y_v.size()) / static_cast<double>(run.validated);
  const double weight = share * options.prior * admm.measures().holdout_error;
  const Pull prior(weight * Matrix::Identity(p, p), coordinates.from_log(log_theta));

  end.status = Status::stopped;
  end.measures = admm.measures();
  double previous = admm.measures().constraint;
  int growing = 0;
  if (!observe(record_of(admm, start, fold, 0, options.admm.trace_gap))) return;
  for (int iteration = 1; iteration <= options.max_iterations; ++iteration) {
    admm.iterate(prior);
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
    const bool go_on = observe(record_of(admm, start, fold, iteration, options.admm.trace_gap));
    if (admm.finished()) {
      end.status = Status::converged;
      return;
    }
    if (!go_on) return;
  }
  end.status = Status::max_iterations;
}

FoldEnd run_fold(FoldRun& run, int start, int fold, const Vector& log_theta, FoldObserver& observe) {
  FoldEnd end{Status::stopped, log_theta, {}};
  try {
    sweep_until_done(run, start, fold, end, observe);
  } catch (const Interrupted&) {
    end.status = Status::stopped;  // with the last good θ
  }
  return end;
}

/// The worst of them speaks for all.
Status worst(const std::vector<FoldEnd>& ends) {
  for (const Status status : {Status::numerical_failure, Status::stopped, Status::max_iterations}) {
    if (std::any_of(ends.begin(), ends.end(), [&](const FoldEnd& end) { return end.status == status; })) return status;
  }
  return Status::converged;
}

}  // namespace

TrainResult train_admm(const Problem& problem, const TrainOptions& options, const Observer& observer) {
  return train_by_folds(
      problem, options, observer, [](FoldRun& run, int start, const Vector& log_theta, FoldObserver& observe) {
        std::vector<FoldEnd> ends(run.holdouts.size());
        parallel_for(static_cast<int>(ends.size()), run.threads_across,
                     [&](int k) { ends[static_cast<std::size_t>(k)] = run_fold(run, start, k, log_theta, observe); });
        const Coordinates coordinates(run.problem, run.options.admm.raw_theta);
        Vector mean = Vector::Zero(log_theta.size());
        double constraint = 0, gradient = 0;
        for (const FoldEnd& end : ends) {
          mean += coordinates.from_log(end.log_theta) / static_cast<double>(ends.size());
          constraint = std::max(constraint, end.measures.constraint);
          gradient = std::max(gradient, end.measures.gradient);
        }
        // The published stop rule says nothing about either.
        return StartEnd{worst(ends), coordinates.to_log(mean),
                        fmt::format("constraint residual {:.1e}, relative gradient {:.1e}", constraint, gradient)};
      });
}

}  // namespace gpcv
