/// Kernels at the parameter values that training has reached.
#include <algorithm>

#include "gpcv/error.hpp"
#include "problem/parameters.hpp"

namespace gpcv {

Kernel with_log_values(const Kernel& kernel, const Vector& u) {
  Vector theta = u.array().exp();
  // exp(log b) may round past a bound b, and a kernel outside its own bounds can be written but not read.
  const std::vector<Parameter> free = kernel.free_parameters();
  for (std::size_t i = 0; i < free.size(); ++i) {
    const std::optional<Bounds>& bounds = free[i].bounds;
    double& value = theta(static_cast<Index>(i));
    if (bounds) value = std::clamp(value, bounds->lower, bounds->upper);
  }
  return kernel.with({theta.data(), free.size()});
}

Kernel kernel_of(const Optimum& optimum, const Kernel& kernel) {
  const Index p = kernel.theta().size();
  if (optimum.log_theta.size() != p && optimum.log_theta.size() != p + 1) {
    throw InputError("an optimum has another number of parameters than the kernel");
  }
  return with_log_values(kernel, optimum.log_theta.head(p));
}

double noise_of(const Optimum& optimum, const Kernel& kernel, double held) {
  const Index p = kernel.theta().size();
  return optimum.log_theta.size() > p ? std::exp(optimum.log_theta(p)) : held;
}

}  // namespace gpcv
