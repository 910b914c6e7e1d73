#include "core/memory.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace gpcv {
namespace {

std::size_t read_number(const char* path) {
  std::ifstream file(path);
  std::size_t value = 0;
  return file >> value ? value : std::numeric_limits<std::size_t>::max();
}

std::size_t system_available() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  std::size_t kilobytes = 0;
  while (file >> key >> kilobytes >> unit) {
    if (key == "MemAvailable:") return kilobytes * 1024;
  }
  return std::numeric_limits<std::size_t>::max();
}

std::size_t reclaimable_in_group() {
  std::ifstream file("/sys/fs/cgroup/memory.stat");
  std::string key;
  std::size_t count = 0;
  while (file >> key >> count) {
    if (key == "inactive_file") return count;
  }
  return 0;
}

}  // namespace

std::size_t available_memory() {
  constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  const std::size_t limit = read_number("/sys/fs/cgroup/memory.max");
  const std::size_t used = read_number("/sys/fs/cgroup/memory.current");
  if (limit == unlimited || used == unlimited) return system_available();
  // Cached files count as used but give way.
  const std::size_t busy = used - std::min(used, reclaimable_in_group());
  return std::min(system_available(), limit - std::min(limit, busy));
}

std::size_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

}  // namespace gpcv
