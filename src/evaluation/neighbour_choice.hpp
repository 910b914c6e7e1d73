/// The number of neighbours that a variance needs.
#pragma once

#include <vector>

#include "gpcv/compute.hpp"
#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Excess of the standard deviation by so many neighbours, relative to the exact one: its mean over a sample of
/// training rows, each predicted without itself.
struct NeighbourExcess {
  Index neighbours = 0;
  double observed = 0;  ///< of an observation, noise included
  double latent = 0;    ///< of the function
};

/// Excess that is small beside the sampling error of a calibration, 5 % of the deviation.
constexpr double accepted_excess = 0.03;

/// Excess of each number of neighbours up to `most` that may be chosen, fewest first. The exact deviation is that by
/// the most neighbours, extrapolated to all rows.   x: n × d, standardised
std::vector<NeighbourExcess> measured_excess(const KernelProgram& program, const Matrix& x, double noise,
                                             const ComputeOptions& compute, Index most = 2048);

/// The smallest number of neighbours with the accepted excess, or the largest number. It depends on the training rows,
/// the kernel, and whether a device computes.
NeighbourExcess chosen_neighbours(const KernelProgram& program, const Matrix& x, double noise, bool latent,
                                  const ComputeOptions& compute);

}  // namespace gpcv
