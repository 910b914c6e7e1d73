#include "gpcv/synthetic.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/random.hpp"
#include "gpcv/error.hpp"
#include "gpcv/solver.hpp"
#include "planning/budget.hpp"
#include "solvers/factorise.hpp"

namespace gpcv {

Synthetic draw(const Kernel& kernel, const SyntheticOptions& options) {
  if (options.n < 1) throw InputError(fmt::format("cannot draw {} points", options.n));
  if (options.dims < 1) throw InputError(fmt::format("cannot draw points with {} input columns", options.dims));
  if (!(options.lower < options.upper) || !std::isfinite(options.lower) || !std::isfinite(options.upper)) {
    throw InputError(fmt::format("the range {}:{} is empty", options.lower, options.upper));
  }
  if (!(options.noise >= 0) || !std::isfinite(options.noise)) throw InputError("the noise variance cannot be negative");
  if (options.even && options.dims > 1) {
    throw InputError(fmt::format("evenly spaced inputs have one column, not {}", options.dims), Remedy::draw_one_input);
  }
  require_dense_memory(options.n, 1, "drawing from a Gaussian process");

  Random random(options.seed);
  Synthetic out{Matrix(options.n, options.dims), {}, 0};
  if (options.even) {
    out.x.col(0).setLinSpaced(options.lower, options.upper);
  } else {
    for (double& x : out.x.reshaped()) x = random.uniform(options.lower, options.upper);
  }

  // y = L z with LLᵀ = K + σ²I has the covariance of the function plus noise.
  const Cholesky factor = factorise(kernel.bind(options.dims).lower(), out.x, options.noise, options.threads);
  Vector z(options.n);
  for (double& value : z) value = random.normal();
  out.y = factor.multiply_factor(z);
  out.jitter = factor.jitter();
  return out;
}

}  // namespace gpcv
