/// The question whether to stop, asked from work that proceeds on several threads.
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <utility>

#include "gpcv/error.hpp"

namespace gpcv {

/// The thread that made the object asks; other threads learn its answer. An answer of yes is final.
class StopQuestion {
 public:
  explicit StopQuestion(std::function<bool()> stop) : stop_(std::move(stop)) {}

  bool asked() {
    if (!stopped_ && stop_ && std::this_thread::get_id() == caller_ && stop_()) stopped_ = true;
    return stopped_;
  }
  /// Throws Interrupted where the work is to stop.
  void check() {
    if (asked()) throw Interrupted("stopped");
  }

 private:
  const std::function<bool()> stop_;
  const std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<bool> stopped_ = false;
};

}  // namespace gpcv
