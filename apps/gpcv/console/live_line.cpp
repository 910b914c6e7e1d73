#include "console/live_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace gpcv::command {

LiveLine::LiveLine(bool wanted, double interval)
    : active_(wanted && ::isatty(STDERR_FILENO) == 1), interval_(interval) {}
LiveLine::~LiveLine() { clear(); }

void LiveLine::show(const std::string& text) {
  if (!active_ || (last_ >= 0 && watch_.seconds() - last_ < interval_)) return;
  last_ = watch_.seconds();
  drawn_ = true;
  // The output is a carriage return, the text, and the code that erases the rest of the line.
  fmt::print(stderr, "\r{}\x1b[K", text);
  std::fflush(stderr);
}

void LiveLine::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace gpcv::command
