#include "standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace gpcv::command {
namespace {

/// Opens the device of nothing in place of a closed stream. Of the descriptors below it none is closed, so that the
/// system chooses this one.
void open_if_closed(int descriptor, int flags) {
  if (::fcntl(descriptor, F_GETFD) != -1) return;
  [[maybe_unused]] const int opened = ::open("/dev/null", flags);
}

}  // namespace

void open_closed_streams() {
  open_if_closed(STDIN_FILENO, O_RDONLY);
  open_if_closed(STDOUT_FILENO, O_RDONLY);
  open_if_closed(STDERR_FILENO, O_WRONLY);
}

bool printed_all() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

}  // namespace gpcv::command
