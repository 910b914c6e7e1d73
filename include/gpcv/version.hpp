/// Version of the library and of its dependencies.
#pragma once

#include <string>
#include <string_view>

#include "gpcv/export.hpp"

namespace gpcv {

/// Version of the library, for example "1.0.0".
GPCV_EXPORT std::string_view version();

/// Build information in several lines: version, instruction set, backends, devices, trainers, threads, memory and the
/// versions of the libraries that gpcv was built with.
GPCV_EXPORT std::string build_info();

}  // namespace gpcv
