/// What the command says of rows far outside the training rows.
#pragma once

#include <string>

#include "gpcv/dataset.hpp"
#include "gpcv/far_rows.hpp"

namespace gpcv::command {

/// Looks at the rows of a data set.
void look_at(FarRows& far, const Dataset& data);
/// Warning in one line; empty where no row is far.
std::string text_of(const FarRows& far);
/// Prints the warning, if there is one, on standard error.
void report(const FarRows& far);

}  // namespace gpcv::command
