/// The normal equations of a least-squares problem.
#pragma once

#include "gpcv/types.hpp"

namespace gpcv {

/// JᵀJ and Jᵀr of residuals r with the Jacobian J.
struct NormalEquations {
  Matrix jtj;
  Vector jtr;
};

}  // namespace gpcv
