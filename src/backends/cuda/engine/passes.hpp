/// How a computation is cut into passes of a device, and how each of them ends.
#pragma once

#include "backends/cuda/driver/device.hpp"
#include "gpcv/types.hpp"

namespace gpcv::cuda {

/// Columns of one of as few and as equal passes as there must be.
inline int balanced(Index columns, int most) {
  const Index passes = (columns + most - 1) / most;
  return static_cast<int>((columns + passes - 1) / passes);
}

/// Calls work(first, count, width) for the columns that fill passes of the most columns, then for those left over, in
/// passes of `width`. On an H200 a pass of 48 columns takes a fifth longer than one of 32, and one of 64 took twice
/// as long as that.
template <class Work>
void full_passes_first(Index columns, int most, const Work& work) {
  const Index full = columns / most * most;
  if (full > 0) work(0, full, most);
  if (columns > full) work(full, columns - full, static_cast<int>(columns - full));
}

/// Nothing is under way when it goes: buffers may be used again.
class Finished {
 public:
  explicit Finished(Device& device) : device_(device) {}
  ~Finished() {
    try {
      device_.synchronize();
    } catch (const DeviceError&) {
      return;  // already reported by whatever is being thrown, or by the next call
    }
  }
  Finished(const Finished&) = delete;
  Finished& operator=(const Finished&) = delete;

 private:
  Device& device_;
};

}  // namespace gpcv::cuda
