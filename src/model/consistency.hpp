/// Consistency checks of a model before it is written and after it has been read.
#pragma once

#include <string_view>

#include "gpcv/model.hpp"

namespace gpcv {

/// Throws InputError with `otherwise` unless the condition holds.
void require(bool holds, std::string_view otherwise);

/// Throws InputError unless the sizes of the model's parts agree and its numbers are valid. The kernel may still be
/// missing.
void require_consistent(const Model& model);

/// Throws InputError unless the kernel has the summands and parameters that the mean function and the rows' own noise
/// add to it, and at least one summand before them.
void require_consistent_kernel(const Model& model);

/// Throws InputError unless each optimum that was reached has one value per free parameter of the kernel, and possibly
/// one for the noise.
void require_consistent_optima(const Model& model);

}  // namespace gpcv
