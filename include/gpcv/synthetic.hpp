/// Synthetic data drawn from a known Gaussian process.
#pragma once

#include <cstdint>

#include "gpcv/export.hpp"
#include "gpcv/kernel.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Options of synthetic data.
struct SyntheticOptions {
  Index n = 500;           ///< number of rows
  Index dims = 1;          ///< number of input columns
  double lower = 0;        ///< smallest input
  double upper = 10;       ///< largest input
  double noise = 0.1;      ///< noise variance
  bool even = true;        ///< evenly spaced inputs (one dimension only); otherwise uniform random inputs
  std::uint64_t seed = 1;  ///< seed of random numbers
  int threads = 1;         ///< number of threads
};

/// Synthetic data.
struct Synthetic {
  Matrix x;           ///< inputs
  Vector y;           ///< targets
  double jitter = 0;  ///< amount added to the diagonal of the covariance; 0 when none was needed
};

/// Draws y ~ N(0, K(X, X) + noise·I) by factorising an n × n matrix.
GPCV_EXPORT Synthetic draw(const Kernel& kernel, const SyntheticOptions& options);

}  // namespace gpcv
