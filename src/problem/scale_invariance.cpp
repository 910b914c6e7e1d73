#include "problem/scale_invariance.hpp"

#include <algorithm>
#include <cmath>

#include "backends/dense_kernel.hpp"

namespace gpcv {
namespace {

std::vector<Parameter> parameters_of(const Kernel& kernel) {
  return {kernel.parameters().begin(), kernel.parameters().end()};
}

}  // namespace

bool has_free_scale(const Problem& problem) {
  if (problem.noise.fixed) return false;
  bool any = false;
  for (const Parameter& p : problem.kernel.parameters()) {
    if (p.role != Role::variance || p.fixed) continue;
    if (p.bounds) return false;
    any = true;
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

Kernel scaled(const Kernel& kernel, double factor) {
  std::vector<Parameter> parameters = parameters_of(kernel);
  for (Parameter& p : parameters) {
    if (p.role == Role::variance && !p.fixed) p.value *= factor;
  }
  return kernel.with_parameters(std::move(parameters));
}

}  // namespace gpcv
