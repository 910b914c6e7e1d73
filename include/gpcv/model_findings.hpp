/// Findings about a trained model.
#pragma once

#include <vector>

#include "gpcv/diagnosis.hpp"
#include "gpcv/export.hpp"
#include "gpcv/model.hpp"

namespace gpcv {

/// Findings about the result of a training, from the held-out predictions that the model keeps: no signal, or intervals
/// that are too narrow.
GPCV_EXPORT std::vector<Finding> findings_about(const Model& model);

}  // namespace gpcv
