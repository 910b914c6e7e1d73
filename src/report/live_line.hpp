/// One line on a terminal that says what is going on.
#pragma once

#include <string>

#include "core/clock.hpp"

namespace gpcv {

/// Rewrites the last line of standard error, at most ten times a second; silent when it is not a terminal.
class LiveLine {
 public:
  explicit LiveLine(bool wanted);
  ~LiveLine();
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  void show(const std::string& text);
  /// Leaves an empty line for other output.
  void clear();

 private:
  bool active_;
  bool drawn_ = false;
  double last_ = -1;
  Stopwatch watch_;
};

}  // namespace gpcv
