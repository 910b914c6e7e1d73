#include "problem/scale_invariance.hpp"

#include <algorithm>
#include <cmath>

#include "backends/dense_kernel.hpp"
#include "core/random.hpp"
#include "problem/linear_lengths.hpp"

namespace gpcv {
namespace {

std::vector<Parameter> parameters_of(const Kernel& kernel) {
  return {kernel.parameters().begin(), kernel.parameters().end()};
}

/// Exponent with which each parameter follows a factor of the kernel: 1 for a free variance, and −½ for the free length
/// scales of a linear summand Σ_c x_c x'_c / l_c², which has no variance of its own.
std::vector<double> scale_exponents(const Kernel& kernel) {
  const std::vector<Parameter> parameters = parameters_of(kernel);
  std::vector<double> exponents(parameters.size(), 0);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].role == Role::variance && !parameters[i].fixed) exponents[i] = 1;
  }
  const std::vector<bool> linear = linear_lengths(kernel, true);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (linear[i]) exponents[i] = -0.5;
  }
  return exponents;
}

}  // namespace

bool has_free_scale(const Problem& problem) {
  if (problem.noise.fixed) return false;
  const std::vector<double> exponents = scale_exponents(problem.kernel);
  const std::vector<Parameter> parameters = parameters_of(problem.kernel);
  bool any = false;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (exponents[i] == 0) continue;
    if (parameters[i].bounds) return false;
    any = any || exponents[i] == 1;  // with_scale_held() holds a variance
  }
  if (!any) return false;
  // A summand with a fixed variance does not scale; a product of two free variances scales by the factor squared.
  const Vector now = kernel_diagonal(problem.kernel.lower(), problem.x),
               doubled = kernel_diagonal(scaled(problem.kernel, 2).lower(), problem.x);
  return ((doubled - 2 * now).array().abs() <= 1e-9 * now.array().abs()).all();
}

Problem with_scale_held(Problem problem) {
  std::vector<Parameter> parameters = parameters_of(problem.kernel);
  const auto first = std::find_if(parameters.begin(), parameters.end(),
                                  [](const Parameter& p) { return p.role == Role::variance && !p.fixed; });
  if (first != parameters.end()) first->fixed = true;
  problem.kernel = problem.kernel.with_parameters(std::move(parameters));
  return problem;
}

Kernel with_values_of(const Kernel& like, const Kernel& values) {
  std::vector<Parameter> parameters = parameters_of(like);
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].value = values.parameters()[i].value;
  return like.with_parameters(std::move(parameters));
}

double moment_scale(const Problem& problem, std::uint64_t seed, int threads) {
  constexpr Index most_rows = 1000;
  const Index n = std::min(problem.x.rows(), most_rows);
  std::vector<Index> rows = Random(seed).permutation(problem.x.rows());
  rows.resize(static_cast<std::size_t>(n));
  std::sort(rows.begin(), rows.end());
  const Vector y = problem.y(rows);
  const Matrix k = dense_kernel(problem.kernel.lower(), problem.x(rows, Eigen::all), threads);
  const double found = (y.array() - y.mean()).square().mean();
  const double expected = k.diagonal().mean() - k.mean() + problem.noise.variance * (1 - 1 / static_cast<double>(n));
  return found > 0 && expected > 0 && std::isfinite(expected) ? found / expected : 1;
}

Kernel scaled(const Kernel& kernel, double factor) {
  const std::vector<double> exponents = scale_exponents(kernel);
  std::vector<Parameter> parameters = parameters_of(kernel);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (exponents[i] != 0) parameters[i].value *= exponents[i] == 1 ? factor : std::pow(factor, exponents[i]);
  }
  return kernel.with_parameters(std::move(parameters));
}

}  // namespace gpcv
