#include "trainers/likelihood/likelihood.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "backends/dense_kernel.hpp"
#include "core/clock.hpp"
#include "core/random.hpp"
#include "gpcv/error.hpp"
#include "planning/cost_model.hpp"
#include "problem/data_scales.hpp"
#include "problem/fold_targets.hpp"
#include "problem/parameters.hpp"
#include "solvers/factorise.hpp"
#include "trainers/common/minimize.hpp"
#include "trainers/common/optima_order.hpp"
#include "trainers/start/first_values.hpp"

namespace gpcv {

Likelihood negative_log_likelihood(const Kernel& kernel, double noise, ConstView x, ConstView y, bool noise_gradient,
                                   int threads) {
  const auto n = static_cast<double>(x.rows()), targets = static_cast<double>(y.cols());
  const KernelProgram program = kernel.lower();
  Cholesky cholesky = factorise(program, x, noise, threads);
  const Matrix alpha = cholesky.solve(y);

  Likelihood result;
  result.jitter = cholesky.jitter();
  // Σ_j ½ y_jᵀα_j + ½ t log det C + ½ t n log 2π
  result.value = 0.5 * y.cwiseProduct(alpha).sum() + 0.5 * targets * cholesky.log_determinant() +
                 0.5 * targets * n * std::log(2 * std::numbers::pi);

  // ∂/∂log θ_i = ½ tr((t C⁻¹ − Σ_j α_jα_jᵀ) ∂C/∂log θ_i)
  Matrix w = std::move(cholesky).take_inverse();
  if (y.cols() > 1) w *= targets;
  w.noalias() -= alpha * alpha.transpose();
  result.gradient.resize(program.parameters + (noise_gradient ? 1 : 0));
  result.gradient.head(program.parameters) = 0.5 * contract_dense(program, x, w, threads);
  if (noise_gradient) result.gradient(program.parameters) = 0.5 * noise * w.trace();
  return result;
}

namespace {

/// One training: its starts share a history, and the best of them becomes the result.
class LikelihoodTraining {
 public:
  LikelihoodTraining(const Problem& given, const TrainOptions& options, const Observer& observer)
      : options_(options),
        observer_(observer),
        problem_(started(given, options)),
        parameters_(log_parameters(problem_)),
        targets_(all_targets(problem_)),
        rows_(static_cast<double>(targets_.size())) {
    result_.objective = std::numeric_limits<double>::infinity();
  }

  TrainResult run() {
    Random random(options_.seed);
    const int starts = parameters_.value.size() == 0 ? 1 : std::max(1, options_.restarts);
    for (int start = 0; start < starts && !stopped_; ++start) {
      descend(start, start == 0 ? parameters_.value : random_start(problem_, random));
    }
    sort_optima(result_.optima);
    result_.seconds = watch_.seconds();
    if (best_.size() == parameters_.value.size()) {
      take_best();
    } else {
      fail();
    }
    return std::move(result_);
  }

 private:
  /// The mean over the rows of the negative log-likelihood; infinite where C cannot be factorised. The optimiser's
  /// first step is as long as the gradient, and the gradient of the sum would leave the neighbourhood of the start.
  double objective(const Vector& u, Vector& gradient) {
    try {
      const Likelihood l = negative_log_likelihood(kernel_at(problem_, u), noise_at(problem_, u), problem_.x, targets_,
                                                   !problem_.noise.fixed, options_.compute.threads);
      const Vector away = options_.log_prior > 0 ? Vector((u - centre_) / options_.log_prior) : Vector::Zero(u.size());
      gradient = l.gradient / rows_;
      if (options_.log_prior > 0) gradient += away / (options_.log_prior * rows_);
      jitter_ = l.jitter;
      return (l.value + 0.5 * away.squaredNorm()) / rows_;
    } catch (const NumericalError&) {
      return std::numeric_limits<double>::infinity();
    }
  }

  /// Adds an evaluation to the history; false when the observer wants to stop.
  bool record_evaluation(int start, const Vector& u, double value, double gradient_norm) {
    IterationRecord record;
    record.restart = start;
    record.iteration = ++result_.iterations;
    record.objective = value * rows_;
    record.gradient_norm = gradient_norm * rows_;
    record.seconds = watch_.seconds();
    const Vector theta = u.array().exp();
    record.theta.assign(theta.begin(), theta.end());
    result_.history.push_back(record);
    return !observer_ || observer_(record);
  }

  /// Minimises from one start and keeps its optimum.
  void descend(int start, const Vector& from) {
    centre_ = from;
    const MinimizeResult end = minimize(
        [this](const Vector& u, Vector& gradient) { return objective(u, gradient); }, from, parameters_.lower,
        parameters_.upper, {options_.max_iterations, options_.tolerance},
        [this, start](const Vector& u, double value, double norm) { return record_evaluation(start, u, value, norm); });
    stopped_ = end.status == Status::stopped;
    if (!std::isfinite(end.value)) {
      result_.optima.push_back({start, end.status, end.value, {}});
      return;
    }
    result_.optima.push_back({start, end.status, end.value * rows_, end.u});
    if (end.value * rows_ < result_.objective) {
      result_.objective = end.value * rows_;
      result_.status = end.status;
      best_ = end.u;
    }
  }

  /// The result where no start could be evaluated: the values that were given.
  void fail() {
    result_.status = Status::numerical_failure;
    result_.objective = std::numeric_limits<double>::quiet_NaN();
    result_.message = "no start gave a covariance matrix that could be factorised; raise the noise or check the data";
    result_.kernel = problem_.kernel;
    result_.noise = problem_.noise.variance;
  }

  /// The result at the best optimum, with a message on how it was reached.
  void take_best() {
    if (stopped_) result_.status = Status::stopped;
    Vector gradient;
    objective(best_, gradient);  // for the jitter at the optimum
    result_.jitter = jitter_;
    result_.kernel = kernel_at(problem_, best_);
    result_.noise = noise_at(problem_, best_);
    result_.message = result_.status == Status::converged ? "converged"
                      : result_.status == Status::stopped
                          ? "stopped on request; this is the best so far"
                          : fmt::format("not converged after {} evaluations per start", options_.max_iterations);
    for (const std::string& name : at_bounds(problem_, best_)) {
      result_.message += fmt::format("; {} ended at its bound", name);
    }
    if (result_.jitter > 0) {
      result_.message += fmt::format("; jitter {:.1e} was added to the diagonal", result_.jitter);
    }
  }

  const Stopwatch watch_;
  const TrainOptions& options_;
  const Observer& observer_;
  const Problem problem_;  ///< with the start values in place
  const LogParameters parameters_;
  const ConstView targets_;  ///< of the problem
  const double rows_;        ///< of all targets
  double jitter_ = 0;        ///< of the last evaluation
  bool stopped_ = false;
  Vector best_, centre_;  ///< log θ of the best optimum, and that the prior is centred on
  TrainResult result_;
};

}  // namespace

TrainResult train_likelihood(const Problem& problem, const TrainOptions& options, const Observer& observer) {
  return LikelihoodTraining(problem, options, observer).run();
}

TrainerTraits likelihood_traits() {
  return {.info = {.name = "likelihood", .uses_folds = false, .can_checkpoint = false},
          .needs_free_parameter = false,
          .factorises = true,
          .settings = {},
          .measures = [](const TrainOptions&) { return std::vector<std::string>{}; },
          .steps = [](const TrainOptions&) { return std::string("l-bfgs"); },
          .cost =
              [](const Problem& problem, const TrainOptions& options) {
                constexpr double usual_evaluations = 40;  // of a start
                const double evaluations = std::min<double>(usual_evaluations, options.max_iterations);
                return TrainingCost{
                    {}, options.restarts * evaluations * likelihood_seconds(problem.x.rows(), options.compute.threads)};
              },
          .train = train_likelihood};
}

}  // namespace gpcv
