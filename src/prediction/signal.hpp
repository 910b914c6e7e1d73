/// Whether a model has found a signal.
#pragma once

#include "gpcv/model.hpp"

namespace gpcv {

/// Whether the squared errors of held-out rows are smaller than those of the target's mean, by two standard errors of
/// their paired difference, or by half, or for clearly more than half of the rows; true where there are no held-out
/// rows.
bool beats_mean(const Model& model);

}  // namespace gpcv
