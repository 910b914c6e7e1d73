/// The division of a computation into passes of a device, and the end of each pass.
#pragma once

#include "backends/cuda/driver/device.hpp"
#include "gpcv/types.hpp"

namespace gpcv::cuda {

/// The columns per pass for the fewest passes of at most `most` columns, as equal as possible.
inline int balanced(Index columns, int most) {
  const Index passes = (columns + most - 1) / most;
  return static_cast<int>((columns + passes - 1) / passes);
}

/// Calls work(first, count, width) for the columns that fill passes of `most` columns, then for the remaining ones in
/// passes of `width`. On an H200 a pass of 48 columns takes a fifth longer than one of 32, and one of 64 took twice as
/// long as one of 48.
template <class Work>
void full_passes_first(Index columns, int most, const Work& work) {
  const Index full = columns / most * most;
  if (full > 0) work(0, full, most);
  if (columns > full) work(full, columns - full, static_cast<int>(columns - full));
}

/// A guard that synchronises the device at the end of its scope, so that buffers can be reused.
class Finished {
 public:
  explicit Finished(Device& device) : device_(device) {}
  ~Finished() {
    try {
      device_.synchronize();
    } catch (const DeviceError&) {
      return;  // the error was reported by the current exception, or will be by the next call
    }
  }
  Finished(const Finished&) = delete;
  Finished& operator=(const Finished&) = delete;

 private:
  Device& device_;
};

}  // namespace gpcv::cuda
