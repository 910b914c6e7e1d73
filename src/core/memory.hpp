/// Memory that the machine has left and that this process has used.
#pragma once

#include <cstddef>

namespace gpcv {

/// Bytes that can be allocated without swapping; at most the control group's limit.
std::size_t available_memory();
/// Largest resident set of this process so far, in bytes.
std::size_t peak_memory();

}  // namespace gpcv
