#include "core/memory.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

#include "core/control_groups.hpp"

namespace gpcv {
namespace {

namespace fs = std::filesystem;

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// The first number of a file; unlimited where it holds a word ("max") or does not exist.
double number_in(const fs::path& path) {
  std::ifstream file(path);
  std::size_t value = 0;
  return file >> value ? static_cast<double>(value) : unlimited;
}

/// The number after a key in a file of keys and numbers, the units of which are skipped.
double number_after(const fs::path& path, std::string_view key, double otherwise) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with(key)) return static_cast<double>(std::strtoull(line.c_str() + key.size(), nullptr, 10));
  }
  return otherwise;
}

/// Bytes that a group may still use. Cached files count as used but give way.
double room_in(const fs::path& group, int version) {
  const bool first = version == 1;
  const double limit = number_in(group / (first ? "memory.limit_in_bytes" : "memory.max"));
  const double used = number_in(group / (first ? "memory.usage_in_bytes" : "memory.current"));
  if (limit == unlimited || used == unlimited) return unlimited;
  const double cached = number_after(group / "memory.stat", first ? "total_inactive_file " : "inactive_file ", 0);
  return std::max(0.0, limit - std::max(0.0, used - cached));
}

/// Bytes that a limit of the process leaves: limit − what `key` of its status says is in use.
double room_below(decltype(RLIMIT_AS) resource, std::string_view key) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  const double used = 1024 * number_after(system_root() / "proc/self/status", key, 0);
  return std::max(0.0, static_cast<double>(limit.rlim_cur) - used);
}

/// Number in a variable of the environment; `otherwise` where there is none.
double number_of(const char* variable, double otherwise) {
  const char* text = std::getenv(variable);
  char* end = nullptr;
  const double value = text != nullptr ? std::strtod(text, &end) : 0;
  return end != text && value > 0 ? value : otherwise;
}

/// Bytes that Slurm grants to this job on this node; it states MiB per node or per processor, and 0 grants all.
double granted_by_slurm() {
  if (std::getenv("SLURM_JOB_ID") == nullptr) return unlimited;
  constexpr double mebibyte = 1 << 20;
  const double per_processor = number_of("SLURM_MEM_PER_CPU", unlimited) * number_of("SLURM_CPUS_ON_NODE", 1);
  const double granted = mebibyte * std::min(number_of("SLURM_MEM_PER_NODE", unlimited), per_processor);
  return std::max(0.0, granted - 1024 * number_after(system_root() / "proc/self/status", "VmRSS:", 0));
}

}  // namespace

std::size_t available_memory() {
  const double machine = 1024 * number_after(system_root() / "proc/meminfo", "MemAvailable:", unlimited);
  const double room =
      std::min({machine, least_over_groups({"memory", "sys/fs/cgroup/memory"}, room_in),
                room_below(RLIMIT_AS, "VmSize:"), room_below(RLIMIT_DATA, "VmData:"), granted_by_slurm()});
  return room == unlimited ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(room);
}

std::size_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

}  // namespace gpcv
