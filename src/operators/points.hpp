/// Checks and layout that everything evaluating a kernel pair by pair shares.
#pragma once

#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Throws InputError on NaN or infinite inputs, on a wrong number of columns, and on parameters that are not
/// positive and finite.
void require_usable(const KernelProgram& program, ConstView x);

/// x transposed: the d coordinates of a point side by side.
inline Matrix points_of(ConstView x) { return x.transpose(); }

}  // namespace gpcv
