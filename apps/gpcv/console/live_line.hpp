/// One line on a terminal that says what is going on.
#pragma once

#include <string>

#include "console/stopwatch.hpp"

namespace gpcv::command {

/// Rewrites the last line of standard error, at most once in `interval` seconds; silent when it is not a terminal. One
/// thread at a time may call it.
class LiveLine {
 public:
  explicit LiveLine(bool wanted, double interval = 0.1);
  ~LiveLine();
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  void show(const std::string& text);
  /// Leaves an empty line for other output.
  void clear();

 private:
  bool active_;
  double interval_;
  bool drawn_ = false;
  double last_ = -1;
  Stopwatch watch_;
};

}  // namespace gpcv::command
