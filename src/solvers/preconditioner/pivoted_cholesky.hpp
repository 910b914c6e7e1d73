/// A low-rank factor of the kernel matrix from few of its columns.
#pragma once

#include <cstdint>

#include "gpcv/kernel_program.hpp"
#include "operators/space.hpp"

namespace gpcv {

/// The seed of the pivots: any seed does, and one seed gives one result.
constexpr std::uint64_t pivot_seed = 1;

/// Fills F with K ≈ F Fᵀ, by randomly pivoted Cholesky in blocks: pivots are drawn with probability proportional to the
/// diagonal that is left, so that no point far from all pivots is overlooked and no outlier takes them all. Fewer than
/// `rank` columns are made when what is left of the trace falls to `enough` earlier.   diagonal: of K
void draw_columns(LowRankFactor& factor, const Vector& diagonal, Index rank, std::uint64_t seed, double enough);

/// F (n × rank), by entries evaluated in double.
Matrix pivoted_cholesky(const KernelProgram& program, ConstView x, Index rank, std::uint64_t seed, int threads,
                        double enough = 0);

}  // namespace gpcv
