/// Memory that the machine has left and that this process has used.
#pragma once

#include <cstddef>

#include "gpcv/machine.hpp"

namespace gpcv {

/// Bytes that can be allocated without swapping; at most the control group's limit.
std::size_t available_memory();

}  // namespace gpcv
