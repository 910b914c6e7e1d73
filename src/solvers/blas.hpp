/// Matrix products by BLAS with a given number of threads.
#pragma once

#include "gpcv/types.hpp"

namespace gpcv {

/// c = alpha op(a) op(b) + beta c, where op transposes if its flag is set.
void multiply(double alpha, ConstView a, bool transpose_a, ConstView b, bool transpose_b, double beta, View c,
              int threads);

}  // namespace gpcv
