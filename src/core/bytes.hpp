#pragma once

#include <cstddef>
#include <string>

namespace gpcv {

/// "512 KiB", "1.4 GiB"
std::string bytes(std::size_t count);

}  // namespace gpcv
