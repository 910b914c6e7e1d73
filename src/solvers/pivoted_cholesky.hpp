/// A low-rank factor of the kernel matrix from few of its columns.
#pragma once

#include <cstdint>
#include <vector>

#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"
#include "solvers/row_share.hpp"

namespace gpcv {

/// F (n × rank) with K ≈ F Fᵀ, by randomly pivoted Cholesky in blocks: pivots are drawn with probability
/// proportional to the diagonal that is left, so that no point far from all pivots is overlooked and no outlier
/// takes them all. Entries are evaluated in double. Fewer columns come back when what is left of the trace falls
/// to `enough` earlier.
Matrix pivoted_cholesky(const KernelProgram& program, ConstView x, Index rank, std::uint64_t seed, int threads,
                        double enough = 0);

/// The same, of which each rank makes and keeps its own pieces of rows. What travels per block of 64 columns: what is
/// left of the diagonal, and the pivots' rows of F.
std::vector<Matrix> pivoted_cholesky(const KernelProgram& program, ConstView x, const RowShare& share, Index rank,
                                     std::uint64_t seed, int threads, double enough);

}  // namespace gpcv
