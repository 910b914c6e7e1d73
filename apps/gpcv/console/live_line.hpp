/// Progress line on a terminal.
#pragma once

#include <string>

#include "console/stopwatch.hpp"

namespace gpcv::command {

/// Progress line that overwrites the last line of standard error, at most once in `interval` seconds. It prints nothing
/// when standard error is not a terminal. Calls must not overlap.
class LiveLine {
 public:
  explicit LiveLine(bool wanted, double interval = 0.1);
  ~LiveLine();
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  void show(const std::string& text);
  /// Erases the line, so that other output can follow.
  void clear();

 private:
  bool active_;
  double interval_;
  bool drawn_ = false;
  double last_ = -1;
  Stopwatch watch_;
};

}  // namespace gpcv::command
