/// The normal equations of a weighted least-squares problem.
#pragma once

#include "gpcv/types.hpp"

namespace gpcv {

/// JᵀWJ and Jᵀg of residuals with the Jacobian J; for plain squares W = I and g = r.
struct NormalEquations {
  Matrix jtj;
  Vector jtr;
  bool solved = true;  ///< every sensitivity reached the residual asked for; otherwise J is only roughly known
};

}  // namespace gpcv
