#include "fit/stopping.hpp"

#include <algorithm>
#include <limits>

#include "core/clock.hpp"
#include "gpcv/error.hpp"
#include "planning/cost_model.hpp"
#include "solvers/factorise.hpp"

namespace gpcv {
namespace {

/// Seconds of the cost model up to which the folds are evaluated once more after a stop: a user who stops a training
/// waits for its result.
constexpr double short_validation = 2;
/// Seconds of the cost model for the variances of a sample of rows among their neighbours.
constexpr double sampled_variances_seconds = 0.5;
/// Rows of the computation that measures this machine, which takes 2 ms on a fast core.
constexpr Index measured_rows = 600;
/// Estimates are taken times this factor: a model that comes late is worse than one that comes early.
constexpr double caution = 2;
/// Seconds that scheduling, writing the file and ending the program may take.
constexpr double overhead = 0.5;

/// Real seconds of a second of the cost model: factorisations of rows of the problem, timed. The shortest one counts,
/// because the others may have waited for a core.
double measured_slowness(const Problem& problem, const ComputeOptions& compute) {
  if (problem.x.rows() < measured_rows) return 1;
  constexpr int times = 4;
  double shortest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < times; ++i) {
    const Stopwatch watch;
    try {
      factorise(problem.kernel.lower(), problem.x.topRows(measured_rows), problem.noise.variance, compute.threads);
    } catch (const NumericalError&) {
      // Its time tells as much.
    }
    shortest = std::min(shortest, watch.seconds());
  }
  const double expected = CostModel({.n = measured_rows, .d = problem.x.cols()}, compute).factor_seconds();
  return std::max(1.0, shortest / expected);
}

/// Seconds of the variances of held-out rows with which errors are calibrated.
double calibration_seconds(const CostModel& cost, Index rows) {
  return rows <= exact_variance_rows ? cost.dense_step_seconds() : sampled_variances_seconds;
}

}  // namespace

Stopping::Stopping(const FitPlan& plan) {
  const CostModel cost(shape_of(plan.problem, plan.problem.folds), plan.compute);
  const Index rows = plan.problem.x.rows();
  double validation = 0, conditioning = 0;
  if (plan.execution.solver == Solver::cholesky) {
    step_ = 2 * cost.dense_step_seconds();  // a point and its derivatives
    validation = cost.dense_step_seconds();
    conditioning = cost.factor_seconds();
  } else {
    const Preconditioning size = plan.execution.iterative.preconditioning();
    step_ = cost.preconditioner_seconds(size);
    validation = step_ + cost.solve_seconds(size, plan.problem.folds.size(), Accuracy::final);
    conditioning = step_ + cost.solve_seconds(size, 1, Accuracy::final);
  }
  validates_ = validation <= short_validation;
  afterwards_ = (validates_ ? validation : 0) + calibration_seconds(cost, rows) + conditioning;
  slowness_ = caution * measured_slowness(plan.problem, plan.compute);
}

double Stopping::seconds_of_training() const { return overhead + slowness_ * (step_ + afterwards_); }
double Stopping::seconds_afterwards() const { return overhead + slowness_ * afterwards_; }
double Stopping::seconds_of_outer_folds() const { return overhead + slowness_ * step_; }

}  // namespace gpcv
