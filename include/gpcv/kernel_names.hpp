/// Names of kernel families that users of other libraries know.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gpcv/export.hpp"

namespace gpcv {

/// Other names of the base kernels, each with its name in the grammar, as ("rbf", "se").
GPCV_EXPORT std::vector<std::pair<std::string, std::string>> family_aliases();

}  // namespace gpcv
