/// What predictions rely on, asked of a model before it is written and after it was read.
#pragma once

#include <string_view>

#include "gpcv/model.hpp"

namespace gpcv {

/// Throws InputError with `otherwise` unless the condition holds.
void require(bool holds, std::string_view otherwise);

/// Sizes must agree and numbers make sense; throws InputError. The kernel may still be missing.
void require_consistent(const Model& model);

/// The kernel must have the summands that the mean function and the rows' own noise add to it, and one before them.
void require_consistent_kernel(const Model& model);

/// Each optimum must have one value per free parameter of the kernel, and may have one of the noise.
void require_consistent_optima(const Model& model);

}  // namespace gpcv
