#include "trainers/subset_start.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "trainers/gauge.hpp"
#include "trainers/likelihood.hpp"
#include "trainers/parameters.hpp"
#include "trainers/training_plan.hpp"

namespace gpcv {
namespace {

constexpr Index fewest_rows = 200, fewest_rows_per_parameter = 50, most_rows = 1000;
constexpr int evaluations_per_start = 50;
constexpr double start_share = 0.2;
/// Optima nearer than this in every log θ_i are one.
constexpr double same = 0.1;
/// A start whose likelihood per row is worse by this is not followed.
constexpr double hopeless = 0.5;

/// log θ of an optimum of the same kernel, written as text.
Vector log_theta(const Problem& problem, const Optimum& optimum) {
  Problem at = problem;
  at.kernel = with_values_of(problem.kernel, Kernel::parse(optimum.kernel).bind(problem.x.cols()));
  at.noise.variance = optimum.noise;
  return log_parameters(at).value;
}

}  // namespace

std::vector<Index> random_rows(Index rows, Index count, std::uint64_t seed) {
  std::vector<Index> chosen = Random(seed).permutation(rows);
  chosen.resize(static_cast<std::size_t>(std::min(rows, count)));
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

Problem part_of(const Problem& problem, const std::vector<Index>& rows) {
  return {problem.x(rows, Eigen::all), problem.y(rows), problem.kernel, problem.noise, problem.folds.of_rows(rows)};
}

Index subset_rows(const Problem& problem, double training_seconds, const TrainOptions& options) {
  const Index rows = problem.x.rows();
  const auto p = static_cast<Index>(theta_names(problem.kernel, problem.noise).size());
  const Index fewest = std::clamp(fewest_rows_per_parameter * p, fewest_rows, most_rows);
  Index count = std::min(rows, most_rows);
  const double evaluations = evaluations_per_start * std::max(1, options.restarts);
  while (count > fewest &&
         evaluations * likelihood_seconds(count, options.compute.threads) > start_share * training_seconds) {
    count = std::max(fewest, count * 9 / 10);
  }
  return std::min(rows, count);
}

std::vector<Vector> subset_starts(const Problem& problem, Index rows, const TrainOptions& options) {
  const bool all = rows >= problem.x.rows();
  Problem part = all ? problem : part_of(problem, random_rows(problem.x.rows(), rows, options.seed));
  TrainOptions likelihood = options;
  likelihood.max_iterations = evaluations_per_start;
  likelihood.tolerance = 1e-5;
  likelihood.scan_periods = false;
  likelihood.start = Start::values;
  // Values derived from the data are the whole data's, not to be derived again from the part.
  std::vector<Parameter> parameters(part.kernel.parameters().begin(), part.kernel.parameters().end());
  for (Parameter& p : parameters) p.given = true;
  part.kernel = part.kernel.with_parameters(std::move(parameters));
  part.noise.given = true;
  const Observer going_on = [&](const IterationRecord&) { return !options.compute.stop || !options.compute.stop(); };
  const TrainResult trained = train_likelihood(part, likelihood, going_on);
  std::vector<Vector> starts;
  const auto size = static_cast<double>(part.x.rows());
  for (const Optimum& optimum : trained.optima) {
    if (!std::isfinite(optimum.objective) || optimum.kernel.empty()) continue;
    if ((optimum.objective - trained.optima.front().objective) / size > hopeless) continue;
    const Vector u = log_theta(problem, optimum);
    const bool known = std::any_of(starts.begin(), starts.end(),
                                   [&](const Vector& other) { return (u - other).cwiseAbs().maxCoeff() < same; });
    if (u.allFinite() && !known) starts.push_back(u);
  }
  if (starts.empty()) starts.push_back(log_parameters(problem).value);
  return starts;
}

}  // namespace gpcv
