/// λ of the Yeo–Johnson transform.
#pragma once

#include "gpcv/target_transform.hpp"
#include "gpcv/trainer.hpp"

namespace gpcv {

/// The transform with the λ of largest likelihood if T(y) is normal: −n/2 log Var T(y) + Σ log T'(y_i).
TargetTransform with_marginal_lambda(TargetTransform transform, ConstVectorView y);

/// The transform with the λ of largest likelihood of the held-out errors r of T(y), at fixed parameters of the problem:
/// −n/2 log mean(r²/v) + Σ log T'(y_i) over held-out rows. The variances v do not depend on λ, and their scale is that
/// of largest likelihood.   y: target of the problem's rows; row_scale: factors of the rows, or empty
TargetTransform with_held_out_lambda(TargetTransform transform, ConstVectorView y, Problem problem,
                                     const Vector& row_scale, int threads);

}  // namespace gpcv
