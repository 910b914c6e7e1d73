/// Memory that the machine has left and that this process has used.
#pragma once

#include <cstddef>

#include "gpcv/machine.hpp"

namespace gpcv {

/// Bytes that can be allocated without swapping: at most what the control group of this process, and every group
/// around it, still allows. Slurm and container runtimes set such limits.
std::size_t available_memory();

}  // namespace gpcv
