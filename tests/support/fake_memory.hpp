/// A machine with as much free memory, and such control groups, as a test wants.
#pragma once

#include <fstream>

#include "core/control_groups.hpp"
#include "core/memory.hpp"
#include "support/temporary_folder.hpp"

namespace gpcv {

class FakeMemory {
 public:
  explicit FakeMemory(std::size_t free) {
    set_free(free);
    read_system_below(root_.path());
  }
  ~FakeMemory() { read_system_below("/"); }
  FakeMemory(const FakeMemory&) = delete;
  FakeMemory& operator=(const FakeMemory&) = delete;

  void set_free(std::size_t bytes) const {
    write("proc/meminfo", "MemTotal: 1 kB\nMemAvailable:   " + std::to_string(bytes / 1024) + " kB\n");
  }
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

 private:
  TemporaryFolder root_;
};

}  // namespace gpcv
