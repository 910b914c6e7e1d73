/// The version of the library.
#pragma once

#include <string_view>

namespace gpcv {

std::string_view version();

}  // namespace gpcv
