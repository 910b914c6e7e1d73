/// Memory that the machine has left and that this process has used.
#pragma once

#include <cstddef>
#include <filesystem>

namespace gpcv {

/// Bytes that can be allocated without swapping: at most what the control group of this process, and every group
/// around it, still allows. Slurm and container runtimes set such limits.
std::size_t available_memory();
/// Largest resident set of this process so far, in bytes.
std::size_t peak_memory();

/// Tests have available_memory() read proc and sys in a folder of their own instead of /.
void read_memory_below(const std::filesystem::path& root);

}  // namespace gpcv
