/// A low-rank factor of the kernel matrix from a few of its columns.
#pragma once

#include <cstdint>
#include <functional>

#include "gpcv/kernel_program.hpp"
#include "operators/space.hpp"

namespace gpcv {

/// The seed for drawing pivots: any seed is valid, and equal seeds give equal results.
constexpr std::uint64_t pivot_seed = 1;

/// Fills F with K ≈ F Fᵀ by randomly pivoted Cholesky in blocks. Pivots are drawn with probability proportional to the
/// residual diagonal, so that no region far from all pivots is missed and outliers do not take all pivots. F has fewer
/// than `rank` columns if the residual trace, which is returned, falls to `enough` earlier. `stop` is asked before each
/// block; true ends it with Interrupted. diagonal: of K
double draw_columns(LowRankFactor& factor, const Vector& diagonal, Index rank, std::uint64_t seed, double enough,
                    const std::function<bool()>& stop = {});

/// The factor F (n × rank), with entries of K evaluated in double.
Matrix pivoted_cholesky(const KernelProgram& program, ConstView x, Index rank, std::uint64_t seed, int threads,
                        double enough = 0);

}  // namespace gpcv
