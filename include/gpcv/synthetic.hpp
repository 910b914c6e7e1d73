/// Data drawn from a known Gaussian process.
#pragma once

#include <cstdint>

#include "gpcv/export.hpp"
#include "gpcv/kernel.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Which rows are drawn.
struct SyntheticOptions {
  Index n = 500;
  Index dims = 1;
  double lower = 0, upper = 10;
  double noise = 0.1;
  bool even = true;  ///< evenly spaced inputs (one dimension only); otherwise uniform at random
  std::uint64_t seed = 1;
  int threads = 1;
};

/// Rows drawn from a Gaussian process.
struct Synthetic {
  Matrix x;
  Vector y;
  double jitter = 0;  ///< added to the covariance to draw from it; 0 when none was needed
};

/// y ~ N(0, K(X, X) + noise·I). Factorises an n × n matrix.
GPCV_EXPORT Synthetic draw(const Kernel& kernel, const SyntheticOptions& options);

}  // namespace gpcv
