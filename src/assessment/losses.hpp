/// Losses of predictions, row by row.
#pragma once

#include "gpcv/posterior.hpp"
#include "gpcv/trainer.hpp"

namespace gpcv {

/// Loss of each row by the criterion: the squared error, the continuous ranked probability score or the negative log
/// density of its residual; NaN where it has no residual or, unless squares are asked for, no variance.
Vector held_out_losses(const Vector& residuals, const Vector& variances, double degrees, Criterion criterion);

/// The same of a transformed target y, given its prediction.
Vector transformed_losses(const Prediction& prediction, ConstVectorView y, Criterion criterion);

}  // namespace gpcv
