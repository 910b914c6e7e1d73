#include "core/control_groups.hpp"

#include <algorithm>
#include <fstream>
#include <string>

namespace gpcv {
namespace {

namespace fs = std::filesystem;

fs::path& root() {
  static fs::path root = "/";
  return root;
}

}  // namespace

const fs::path& system_root() { return root(); }
void read_system_below(const fs::path& folder) { root() = folder; }

double least_over_groups(const GroupController& controller,
                         const std::function<double(const fs::path& group, int version)>& limit) {
  const fs::path mounts[] = {root() / controller.mount, root() / "sys/fs/cgroup"};
  double least = std::min(limit(mounts[0], 1), limit(mounts[1], 2));
  // A container may see its own group mounted at the top and not find the path that the kernel names: groups that do
  // not exist have no limit.
  const auto walk = [&](fs::path group, int version) {
    for (; !group.empty(); group = group.parent_path()) {
      least = std::min(least, limit(mounts[version - 1] / group, version));
    }
  };
  // Lines of /proc/self/cgroup read "number:controllers:/path"; version 2 names no controllers.
  std::ifstream file(root() / "proc/self/cgroup");
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group = fs::path(line.substr(second + 1)).relative_path();
    if (controllers == ",,") walk(group, 2);
    if (controllers.find("," + std::string(controller.name) + ",") != std::string::npos) walk(group, 1);
  }
  return least;
}

}  // namespace gpcv
