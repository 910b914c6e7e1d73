/// Wall-clock time.
#pragma once

#include <chrono>

namespace gpcv::command {

/// Stopwatch that starts when it is constructed.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace gpcv::command
