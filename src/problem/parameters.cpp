#include "problem/parameters.hpp"

#include <algorithm>
#include <cmath>

#include "problem/data_scales.hpp"
#include "problem/linear_lengths.hpp"

namespace gpcv {

Vector log_values(const Problem& problem) {
  const Vector theta = problem.kernel.theta();
  Vector u(theta.size() + (problem.noise.fixed ? 0 : 1));
  for (Index i = 0; i < theta.size(); ++i) u(i) = std::log(theta(i));
  if (!problem.noise.fixed) u(theta.size()) = std::log(problem.noise.variance);
  return u;
}

LogParameters log_parameters(const Problem& problem, int threads) {
  const DataScales scales = DataScales::of(problem.x, problem.y, true, threads);
  const std::vector<Parameter> free = problem.kernel.free_parameters();
  const Index p = static_cast<Index>(free.size()) + (problem.noise.fixed ? 0 : 1);
  LogParameters u{Vector(p), Vector(p), Vector(p)};
  auto set = [&](Index i, double value, const Bounds& bounds) {
    u.value(i) = std::log(value);
    u.lower(i) = std::min(std::log(bounds.lower), u.value(i));
    u.upper(i) = std::max(std::log(bounds.upper), u.value(i));
  };
  std::vector<bool> linear;  // of the free parameters
  const std::vector<bool> amplitudes = linear_lengths(problem.kernel);
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    if (!problem.kernel.parameters()[i].fixed) linear.push_back(amplitudes[i]);
  }
  for (std::size_t i = 0; i < free.size(); ++i) {
    const Bounds derived = linear[i] ? scales.amplitude_bounds(free[i]) : scales.bounds(free[i]);
    set(static_cast<Index>(i), free[i].value, free[i].bounds.value_or(derived));
  }
  if (!problem.noise.fixed) set(p - 1, problem.noise.variance, scales.noise_bounds(problem.noise.least));
  return u;
}

std::vector<Index> touching(const Vector& u, const Vector& lower, const Vector& upper) {
  constexpr double near = 1e-6;
  std::vector<Index> found;
  for (Index i = 0; i < u.size(); ++i) {
    if (u(i) - lower(i) < near || upper(i) - u(i) < near) found.push_back(i);
  }
  return found;
}

std::vector<std::string> at_bounds(const Problem& problem, const Vector& u) {
  const LogParameters bounds = log_parameters(problem);
  const std::vector<std::string> names = theta_names(problem.kernel, problem.noise);
  std::vector<std::string> found;
  for (const Index i : touching(u, bounds.lower, bounds.upper)) found.push_back(names[static_cast<std::size_t>(i)]);
  return found;
}

Kernel kernel_at(const Problem& problem, const Vector& u) {
  return with_log_values(problem.kernel, u.head(u.size() - (problem.noise.fixed ? 0 : 1)));
}

double noise_at(const Problem& problem, const Vector& u) {
  return problem.noise.fixed ? problem.noise.variance : std::exp(u(u.size() - 1));
}

std::vector<std::string> theta_names(const Kernel& kernel, const Noise& noise) {
  std::vector<std::string> names;
  for (const Parameter& p : kernel.free_parameters()) names.push_back(p.name);
  if (!noise.fixed) names.emplace_back("noise");
  return names;
}

}  // namespace gpcv
