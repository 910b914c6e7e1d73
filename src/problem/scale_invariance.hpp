/// The common factor of all variances, to which cross-validation by squared errors is invariant.
#pragma once

#include "gpcv/trainer.hpp"

namespace gpcv {

/// Whether the common factor of all variances and the noise is undetermined: the noise is free, no free variance is
/// bounded, and the kernel is proportional to its free variances.
bool has_free_scale(const Problem& problem);

/// The problem with its first free variance held fixed, so that the squared errors determine the other parameters.
Problem with_scale_held(Problem problem);

/// The kernel `like` with the parameter values of `values`; which parameters are free stays as in `like`.
Kernel with_values_of(const Kernel& like, const Kernel& values);

/// The factor of all variances with which the process is expected to vary as much as the target does: the variance of y
/// over its expectation tr C/n − 1ᵀC1/n², on at most 1000 rows. Held-out errors near the data do not determine how far
/// predictions are off away from them; the spread of the target does, whatever the noise ratio.
double moment_scale(const Problem& problem, std::uint64_t seed, int threads);

/// The kernel with all free variances multiplied by `factor`.
Kernel scaled(const Kernel& kernel, double factor);

}  // namespace gpcv
