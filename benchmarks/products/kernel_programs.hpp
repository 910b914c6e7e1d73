/// The benchmarked kernels, as programs.
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

/// A squared exponential with a length scale for each of d columns.
KernelProgram se_program(int d);
/// A locally periodic kernel of one column.
KernelProgram lp_program();
/// se + lp of one column: the kernel of the CO2 data.
KernelProgram se_lp_program();
KernelProgram matern52_program(int d);
/// const · se: the same kernel as an expression of two sweeps.
KernelProgram se_as_expression(int d);
/// A sum of squared exponentials of one column each.
KernelProgram additive_program(int d);
/// A sum of two squared exponentials of all d columns, a smooth one and a fine one.
KernelProgram two_scales_program(int d);

/// A fixed set of n points in [0, 1]^d.
Matrix benchmark_points(Index n, Index d);

}  // namespace gpcv
