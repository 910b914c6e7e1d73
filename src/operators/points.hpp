/// Checks and data layout shared by all code that evaluates a kernel pair by pair.
#pragma once

#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Throws InputError on NaN or infinite inputs, on a wrong number of columns, and on parameters that are not
/// positive and finite.
void require_usable(const KernelProgram& program, ConstView x);

/// The transpose of x: the d coordinates of a point are contiguous.
inline Matrix points_of(ConstView x) { return x.transpose(); }

}  // namespace gpcv
