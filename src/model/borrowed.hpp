/// A model that its caller keeps, for a Posterior that lives no longer.
#pragma once

#include <memory>

#include "gpcv/model.hpp"

namespace gpcv {

/// Pointer that owns nothing: the model must outlive every copy of it.
inline std::shared_ptr<const Model> borrowed(const Model& model) { return {std::shared_ptr<const Model>(), &model}; }

}  // namespace gpcv
