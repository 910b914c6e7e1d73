/// θ as trainers move it: logarithms of the free kernel parameters, then of the noise when it is free.
#pragma once

#include <string>
#include <vector>

#include "gpcv/trainer.hpp"

namespace gpcv {

struct LogParameters {
  Vector value, lower, upper;
};

/// log θ of the values now in the problem, the noise last.
Vector log_values(const Problem& problem);

/// The values now in the problem, and bounds: the user's where stated, otherwise from the data
/// (start.hpp), widened to hold the value.
LogParameters log_parameters(const Problem& problem, int threads = 1);

/// Which log θ_i stand at one of these bounds.
std::vector<Index> touching(const Vector& u, const Vector& lower, const Vector& upper);

/// Names of the parameters that stand at a bound, where the data say little or the bound too much.
std::vector<std::string> at_bounds(const Problem& problem, const Vector& u);

/// The kernel with its free parameters at exp(u), within their bounds.
Kernel with_log_values(const Kernel& kernel, const Vector& u);

/// The same problem's kernel and noise at other values.
Kernel kernel_at(const Problem& problem, const Vector& u);
double noise_at(const Problem& problem, const Vector& u);

}  // namespace gpcv
