/// The vector log θ that trainers optimise: the free kernel parameters, followed by the noise if it is free.
#pragma once

#include <string>
#include <vector>

#include "gpcv/trainer.hpp"

namespace gpcv {

struct LogParameters {
  Vector value, lower, upper;
};

/// log θ at the problem's current values, with the noise last.
Vector log_values(const Problem& problem);

/// Current values of log θ with their bounds: the user's bounds where given, otherwise those derived from the data
/// (data_scales.hpp), widened to include the value.
LogParameters log_parameters(const Problem& problem, int threads = 1);

/// Indices i of the log θ_i that are at one of their bounds.
std::vector<Index> touching(const Vector& u, const Vector& lower, const Vector& upper);

/// Names of the parameters at a bound. Their optimum may lie outside the bound, or the data do not determine them.
std::vector<std::string> at_bounds(const Problem& problem, const Vector& u);

/// The kernel with its free parameters at exp(u), within their bounds.
Kernel with_log_values(const Kernel& kernel, const Vector& u);

/// Kernel and noise variance of the problem at log θ = u.
Kernel kernel_at(const Problem& problem, const Vector& u);
double noise_at(const Problem& problem, const Vector& u);

}  // namespace gpcv
