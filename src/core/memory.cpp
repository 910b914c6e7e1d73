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

}  // namespace

std::size_t available_memory() {
  const std::size_t limit = read_number("/sys/fs/cgroup/memory.max");
  const std::size_t used = read_number("/sys/fs/cgroup/memory.current");
  const std::size_t in_group = limit > used ? limit - std::min(used, limit) : 0;
  return std::min(system_available(), limit == std::numeric_limits<std::size_t>::max() ? limit : in_group);
}

std::size_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

}  // namespace gpcv
