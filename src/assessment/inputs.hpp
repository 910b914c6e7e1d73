/// Inputs of a user's table from the columns of a model.
#pragma once

#include "gpcv/effects.hpp"

namespace gpcv {

/// Inputs of `d` columns, without their ranges. Neighbouring indicators of one column of the table are one input;
/// columns without names are called "c0", "c1", …
std::vector<Input> inputs_of(const Columns& columns, Index d);

}  // namespace gpcv
