/// Numbers of bytes in readable units.
#pragma once

#include <cstddef>
#include <string>

namespace gpcv {

/// The count in the largest binary unit that fits: "512 KiB", "1.4 GiB".
std::string bytes(std::size_t count);

}  // namespace gpcv
