/// The kernels that are timed, as programs.
#pragma once

#include <string>
#include <vector>

#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

struct NamedProgram {
  std::string name;
  KernelProgram program;
};

/// One squared exponential with a length scale for each of d columns.
KernelProgram se_program(int d);
/// Locally periodic, one column.
KernelProgram lp_program();
/// se + lp, one column: the kernel of the CO2 data.
KernelProgram se_lp_program();
KernelProgram matern52_program(int d);
/// const · se: an expression of two sweeps around the same kernel.
KernelProgram se_as_expression(int d);

/// n points in [0, 1]^d, always the same.
Matrix benchmark_points(Index n, Index d);

}  // namespace gpcv
