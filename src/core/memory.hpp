/// Memory that the machine has left and that this process has used.
#pragma once

#include <cstddef>

#include "gpcv/machine.hpp"

namespace gpcv {

/// Bytes that can be allocated without swapping: at most what the control group of this process, and every group
/// around it, still allows, what its limits (`ulimit -v`, `ulimit -d`) leave, and what Slurm grants to the job. Slurm
/// and container runtimes set control groups, but not everywhere.
std::size_t available_memory();

}  // namespace gpcv
