/// Control groups, which limit the memory and the processors of a process; Slurm and container runtimes set them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>

namespace gpcv {

/// The folder with proc and sys, / except in tests.
const std::filesystem::path& system_root();
/// Tests have limits read below a folder of their own.
void read_system_below(const std::filesystem::path& folder);

/// The files of a controller, whose place versions 1 and 2 of control groups name differently.
struct GroupController {
  const char* name;   ///< controller in version 1: "memory", "cpu"
  const char* mount;  ///< folder of version 1; version 2 has one folder for all
};

/// The least value that `limit` finds for the group of this process and for every group around it, in both versions:
/// limit(folder, version).
double least_over_groups(const GroupController& controller,
                         const std::function<double(const std::filesystem::path& group, int version)>& limit);

}  // namespace gpcv
