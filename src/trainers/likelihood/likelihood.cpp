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
#include "planning/training_plan.hpp"
#include "problem/data_scales.hpp"
#include "problem/parameters.hpp"
#include "solvers/factorise.hpp"
#include "trainers/common/optima_order.hpp"
#include "trainers/likelihood/minimize.hpp"
#include "trainers/start/first_values.hpp"

namespace gpcv {

Likelihood negative_log_likelihood(const Kernel& kernel, double noise, ConstView x, ConstVectorView y,
                                   bool noise_gradient, int threads) {
  const Index n = x.rows();
  const KernelProgram program = kernel.lower();
  Cholesky cholesky = factorise(program, x, noise, threads);
  const Vector alpha = cholesky.solve(y);

  Likelihood result;
  result.jitter = cholesky.jitter();
  // ½ yᵀα + ½ log det C + ½ n log 2π
  result.value = 0.5 * y.dot(alpha) + 0.5 * cholesky.log_determinant() +
                 0.5 * static_cast<double>(n) * std::log(2 * std::numbers::pi);

  // ∂/∂log θ_i = ½ tr((C⁻¹ − ααᵀ) ∂C/∂log θ_i)
  Matrix w = std::move(cholesky).take_inverse();
  w.noalias() -= alpha * alpha.transpose();
  result.gradient.resize(program.parameters + (noise_gradient ? 1 : 0));
  result.gradient.head(program.parameters) = 0.5 * contract_dense(program, x, w, threads);
  if (noise_gradient) result.gradient(program.parameters) = 0.5 * noise * w.trace();
  return result;
}

TrainResult train_likelihood(const Problem& given, const TrainOptions& options, const Observer& observer) {
  const Stopwatch watch;
  const Problem problem = started(given, options);
  const LogParameters parameters = log_parameters(problem);
  Random random(options.seed);
  TrainResult result;
  result.objective = std::numeric_limits<double>::infinity();

  // The optimiser sees the mean over the rows: its first step is as long as the gradient, and that of the sum
  // would leave the neighbourhood of the start.
  const auto rows = static_cast<double>(problem.x.rows());
  double jitter = 0;
  const Objective objective = [&](const Vector& u, Vector& gradient) {
    try {
      const Likelihood l = negative_log_likelihood(kernel_at(problem, u), noise_at(problem, u), problem.x, problem.y,
                                                   !problem.noise.fixed, options.compute.threads);
      gradient = l.gradient / rows;
      jitter = l.jitter;
      return l.value / rows;
    } catch (const NumericalError&) {
      return std::numeric_limits<double>::infinity();
    }
  };

  const int starts = parameters.value.size() == 0 ? 1 : std::max(1, options.restarts);
  Vector best;
  bool stopped = false;
  for (int start = 0; start < starts && !stopped; ++start) {
    const Progress progress = [&](const Vector& u, double value, double norm) {
      IterationRecord record;
      record.restart = start;
      record.iteration = ++result.iterations;
      record.objective = value * rows;
      record.gradient_norm = norm * rows;
      record.seconds = watch.seconds();
      const Vector theta = u.array().exp();
      record.theta.assign(theta.begin(), theta.end());
      result.history.push_back(record);
      return !observer || observer(record);
    };
    const Vector from = start == 0 ? parameters.value : random_start(problem, random);
    const MinimizeResult end = minimize(objective, from, parameters.lower, parameters.upper,
                                        {options.max_iterations, options.tolerance}, progress);
    stopped = end.status == Status::stopped;
    if (!std::isfinite(end.value)) {
      result.optima.push_back({start, end.status, end.value, {}});
      continue;
    }
    result.optima.push_back({start, end.status, end.value * rows, end.u});
    if (end.value * rows < result.objective) {
      result.objective = end.value * rows;
      result.status = end.status;
      best = end.u;
    }
  }

  sort_optima(result.optima);
  result.seconds = watch.seconds();
  if (best.size() != parameters.value.size()) {
    result.status = Status::numerical_failure;
    result.objective = std::numeric_limits<double>::quiet_NaN();
    result.message = "no start gave a covariance matrix that could be factorised; raise the noise or check the data";
    result.kernel = problem.kernel;
    result.noise = problem.noise.variance;
    return result;
  }
  if (stopped) result.status = Status::stopped;
  Vector gradient;
  objective(best, gradient);  // for the jitter at the optimum
  result.jitter = jitter;
  result.kernel = kernel_at(problem, best);
  result.noise = noise_at(problem, best);
  result.message = result.status == Status::converged ? "converged"
                   : result.status == Status::stopped
                       ? "stopped on request; this is the best so far"
                       : fmt::format("not converged after {} evaluations per start", options.max_iterations);
  for (const std::string& name : at_bounds(problem, best)) {
    result.message += fmt::format("; {} ended at its bound", name);
  }
  if (result.jitter > 0) result.message += fmt::format("; jitter {:.1e} was added to the diagonal", result.jitter);
  return result;
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
