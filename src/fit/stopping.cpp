#include "fit/stopping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "fit/transformed_data.hpp"
#include "gpcv/error.hpp"
#include "planning/cost_model.hpp"

namespace gpcv {
namespace {

/// Seconds of the cost model up to which the folds are evaluated once more after a request: a user who stops a
/// training waits for its result.
constexpr double short_validation = 2;
/// Seconds of the cost model for the variances of a sample of rows among their neighbours: 200 factorisations of 1024
/// rows.
constexpr double sampled_variances_flops = 200 * 1024.0 * 1024 * 1024 / 3 / 2e10;
/// Estimates are taken times this factor: a model that comes late is worse than one that comes early.
constexpr double caution = 1.5;
/// Seconds that scheduling, writing the file and ending the program may take, and seconds per number in the file.
constexpr double end_of_program = 0.5, per_number = 5e-8;
/// Seconds from a request to the end, the end of the program included.
constexpr double patience = 8;
/// The part of a time limit that is kept for what follows training, at most, unless the least takes more.
constexpr double most_of_limit = 0.4;
/// The part of what is left that is kept for conditioning, at most.
constexpr double most_of_end = 0.85;
/// Noise over signal variance up to which the noise is raised.
constexpr double most_noise = 0.3;
/// The solve with a raised noise is to be far from the end of the time: on a machine with five times as many threads as
/// cores a factor of 1.5 left a residual of 0.5.
constexpr double rescue_caution = 4;
/// Below this the least is not refused: it is as long as the estimate is uncertain.
constexpr double worth_refusing = 1;
/// The limit that is named, relative to the least: the next measurement of the machine may differ.
constexpr double safe = 1.5;

/// Seconds of the cheapest way to weights of two digits or more.
double least_conditioning(const CostModel& cost, Index rows, bool factorises, const Slowness& slowness) {
  const double factor =
      factorises ? slowness.factorisations * cost.factor_seconds() : std::numeric_limits<double>::infinity();
  const double iterations = cheapest_solve(cost, slowness, Accuracy::two_digits, rows).seconds;
  return std::min(factor, iterations + slowness.products * cost.exact_pass_seconds(1));
}

/// A number of seconds, rounded up to two digits.
double limit_above(double seconds) {
  const double unit = std::pow(10, std::floor(std::log10(seconds)) - 1);
  return std::max(1.0, unit) * std::ceil(seconds / std::max(1.0, unit));
}

}  // namespace

Stopping::Stopping(const FitPlan& plan, const Slowness& slowness) : slowness_(slowness) {
  const CostModel cost(shape_of(plan.problem, plan.problem.folds), plan.compute);
  const Index rows = plan.problem.x.rows();
  const double dense = slowness.factorisations, products = slowness.products;
  const bool factorises = plan.execution.solver == Solver::cholesky;
  double validation = 0;  // of the cost model
  if (factorises) {
    step_ = 2 * dense * cost.dense_step_seconds();  // a point and its derivatives
    validation = cost.dense_step_seconds();
    validation_ = dense * validation;
    conditioning_ = dense * cost.factor_seconds();
  } else {
    const Preconditioning size = plan.execution.iterative.preconditioning();
    const double setup = cost.preconditioner_seconds(size);
    validation = setup + cost.solve_seconds(size, plan.problem.folds.size(), Accuracy::final);
    validation_ = dense * setup + products * (validation - setup);
    conditioning_ = dense * setup + products * cost.solve_seconds(size, 1, Accuracy::final);
    verification_ = products * cost.exact_pass_seconds(1);
    step_ = products * cost.exact_pass_seconds(plan.problem.folds.size());
  }
  validates_ = validation <= short_validation;
  calibration_ = dense * (rows <= exact_variance_rows ? cost.dense_step_seconds()
                                                      : sampled_variances_flops / std::max(1, plan.compute.threads));
  overhead_ = end_of_program + per_number * static_cast<double>(plan.problem.x.size());
  least_ =
      least_conditioning(cost, rows, factorises || factor_fits(rows, plan.problem.x.cols(), plan.compute), slowness);
  grace_ = patience + verification_;
}

Stopping::Stopping(const FitPlan& plan, const FitOptions& options)
    : Stopping(plan, options.stoppable || options.train.deadline->is_limited()
                         ? measured_slowness(plan.problem, plan.compute)
                         : Slowness{}) {}

double Stopping::seconds_of_training() const {
  const double all = step_ + (validates_ ? validation_ : 0) + calibration_ + conditioning_;
  return std::min(end_of_program + caution * all, std::max(grace_, least_) + 2);
}
double Stopping::seconds_afterwards() const {
  return std::min(overhead_ + caution * (calibration_ + conditioning_), std::max(grace_, least_) + 2);
}
double Stopping::seconds_of_outer_folds() const { return overhead_ + caution * step_; }

double Stopping::conditioning_within(double limit) const {
  return std::min(caution * conditioning_, std::max(most_of_limit * limit, caution * least_)) + verification_;
}
double Stopping::reserve_of_training(double limit) const {
  const double validation = validates_ ? validation_ : 0;
  return reserve_of_calibration(limit) + step_ + caution * (validation + calibration_);
}
double Stopping::reserve_of_calibration(double limit) const { return overhead_ + conditioning_within(limit); }

void Stopping::before_training(Deadline& deadline) const {
  deadline.allow(grace_);
  deadline.go_on();
  deadline.reserve(deadline.is_limited() ? reserve_of_training(deadline.limit()) : 0);
}

void Stopping::before_calibration(Deadline& deadline) const {
  const double kept = reserve_of_calibration(deadline.requested() ? grace_ : deadline.limit());
  // A sample of rows among their neighbours takes a small part of what is left, and gives the variances their scale.
  deadline.reserve(std::min(kept, most_of_end * std::max(0.0, deadline.left())));
}

double Stopping::solvable_noise(const FitPlan& plan, const TrainResult& training, const Deadline& deadline) const {
  const bool held = plan.problem.noise.fixed || plan.row_noise.known;
  if (held || deadline.left() == Deadline::never || plan.execution.solver == Solver::cholesky) return 1;
  Problem at = plan.problem;
  at.kernel = training.kernel;
  at.noise.variance = training.noise;
  Shape shape = shape_of(at, 1);
  const double time = deadline.free() - caution * calibration_;
  const double unit = shape.noise_ratio;
  double factor = 1;
  for (; factor * unit < most_noise; factor *= 2) {
    shape.noise_ratio = factor * unit;
    const CostModel cost(shape, plan.compute);
    const Index most = plan.execution.iterative.rank;
    if (rescue_caution * cheapest_solve(cost, slowness_, Accuracy::two_digits, most).seconds <= time) break;
  }
  return factor;
}

bool Stopping::validates_before(const Deadline& deadline) const {
  return deadline.requested() ? validates_ : caution * validation_ < deadline.free();
}

void begin_deadline(FitOptions& options) {
  TrainOptions& train = options.train;
  if (train.deadline) return;
  if (!(train.time_limit >= 0)) throw InputError(fmt::format("the time limit cannot be {} s", train.time_limit));
  train.deadline = std::make_shared<Deadline>(train.time_limit > 0 ? train.time_limit : Deadline::never,
                                              train.compute.stop, train.compute.communicator);
  train.compute.stop = [deadline = train.deadline] { return deadline->over(); };
  train.time_limit = 0;
}

void require_enough_time(const Dataset& data, const FitOptions& options) {
  const Deadline& deadline = *options.train.deadline;
  if (!deadline.is_limited()) return;
  const Dataset trained = transformed(data, placed(options.transform, data.y));
  const Stopping stopping(plan_fit(trained, options), options);
  const double least = deadline.seconds() + stopping.least() + stopping.reserve_of_overhead();
  if (least < worth_refusing || least <= deadline.limit()) return;
  throw InputError(fmt::format("a fit of {} rows takes at least about {:.0f} s here, the time limit is {:g} s",
                               data.rows(), limit_above(safe * least), deadline.limit()),
                   Remedy::raise_time_limit);
}

void say_time_limit(const Deadline& deadline, TrainResult& training) {
  if (training.status != Status::stopped || deadline.requested() || !deadline.is_limited()) return;
  training.status = Status::time_limit;
  training.message = fmt::format("the time limit of {:g} s was reached{}", deadline.limit(),
                                 std::isnan(training.objective)
                                     ? " before the first error was known; these are start values, not trained"
                                     : "; this is the best so far");
}

bool has_ended(const TrainResult& training) {
  return training.status == Status::stopped || training.status == Status::time_limit;
}

Status status_of_end(const Deadline& deadline) {
  return deadline.is_limited() && !deadline.requested() ? Status::time_limit : Status::stopped;
}

}  // namespace gpcv
