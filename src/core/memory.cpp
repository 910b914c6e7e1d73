#include "core/memory.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

namespace gpcv {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

fs::path& root() {
  static fs::path root = "/";
  return root;
}

/// The first number of a file; unlimited where it holds a word ("max") or does not exist.
std::size_t number_in(const fs::path& path) {
  std::ifstream file(path);
  std::size_t value = 0;
  return file >> value ? value : unlimited;
}

/// The number after a key in a file of keys and numbers, the units of which are skipped.
std::size_t number_after(const fs::path& path, std::string_view key, std::size_t otherwise) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with(key)) return std::strtoull(line.c_str() + key.size(), nullptr, 10);
  }
  return otherwise;
}

/// The files of a memory controller, which versions 1 and 2 of control groups name differently.
struct Controller {
  const char *mount, *limit, *used, *reclaimable;
};
constexpr Controller version1{"sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                              "total_inactive_file "};
constexpr Controller version2{"sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "};

std::size_t room_in(const fs::path& group, const Controller& controller) {
  const std::size_t limit = number_in(group / controller.limit), used = number_in(group / controller.used);
  if (limit == unlimited || used == unlimited) return unlimited;
  // Cached files count as used but give way.
  const std::size_t busy = used - std::min(used, number_after(group / "memory.stat", controller.reclaimable, 0));
  return limit - std::min(limit, busy);
}

/// The least room of a group and of all groups around it. A container may see its own group mounted at the top and
/// not find the path that the kernel names: the walk then begins where folders exist.
std::size_t room_from(fs::path group, const Controller& controller) {
  const fs::path mount = root() / controller.mount;
  std::size_t room = room_in(mount, controller);
  for (; !group.empty(); group = group.parent_path()) room = std::min(room, room_in(mount / group, controller));
  return room;
}

/// Lines of /proc/self/cgroup read "number:controllers:/path"; version 2 names no controllers.
std::size_t room_in_groups() {
  std::size_t room = std::min(room_from({}, version1), room_from({}, version2));
  std::ifstream file(root() / "proc/self/cgroup");
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group = fs::path(line.substr(second + 1)).relative_path();
    if (controllers == ",,") room = std::min(room, room_from(group, version2));
    if (controllers.find(",memory,") != std::string::npos) room = std::min(room, room_from(group, version1));
  }
  return room;
}

}  // namespace

std::size_t available_memory() {
  const std::size_t kilobytes = number_after(root() / "proc/meminfo", "MemAvailable:", unlimited / 1024);
  return std::min(kilobytes * 1024, room_in_groups());
}

std::size_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

void read_memory_below(const fs::path& folder) { root() = folder; }

}  // namespace gpcv
