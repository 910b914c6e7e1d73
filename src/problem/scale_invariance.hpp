/// The common factor of all variances, which cross-validation by squared errors does not see.
#pragma once

#include "gpcv/trainer.hpp"

namespace gpcv {

/// Whether a common factor of all variances and the noise is nobody's choice: the noise is free, no variance is
/// bounded, and the kernel is proportional to those that are free.
bool has_free_scale(const Problem& problem);

/// The problem with its first free variance held, so that what is left of θ is determined.
Problem with_scale_held(Problem problem);

/// The trained values with the parameters as free as they are in `like`.
Kernel with_values_of(const Kernel& like, const Kernel& values);

/// All free variances times `factor`.
Kernel scaled(const Kernel& kernel, double factor);

}  // namespace gpcv
