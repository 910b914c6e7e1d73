/// A pointer to a model that its caller owns, for a Posterior that does not outlive the model.
#pragma once

#include <memory>

#include "gpcv/model.hpp"

namespace gpcv {

/// Non-owning pointer; the model must outlive every copy of it.
inline std::shared_ptr<const Model> borrowed(const Model& model) { return {std::shared_ptr<const Model>(), &model}; }

}  // namespace gpcv
