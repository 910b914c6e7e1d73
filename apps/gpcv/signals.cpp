/// What Ctrl-C and a request to terminate do.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>

#include "command.hpp"
#include "gpcv/atomic_file.hpp"
#include "gpcv/communicator.hpp"

namespace gpcv::command {
namespace {

/// A line for standard error with what follows it. The handler may only read memory that is there.
struct Response {
  std::array<char, 200> text{};
  std::size_t length = 0;
  bool ends = true;  ///< the program ends at once
};

/// The response in force is one of a few, so that a handler that still prints one is not disturbed by the next.
std::array<Response, 8> responses;
std::atomic<const Response*> response = nullptr;
std::atomic<bool> requested = false;

extern "C" void respond(int signal) {
  if (requested) {  // a second signal does at once what it does to programs without a handler
    abandon_writes();
    std::signal(signal, SIG_DFL);
    ::raise(signal);
    return;
  }
  const int error = errno;
  const Response* now = response;
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, now->text.data(), now->length);
  if (now->ends) {
    abandon_writes();
    ::_exit(not_converged);
  }
  requested = true;
  errno = error;
}

void respond_with(const std::string& message, bool ends) {
  static std::mutex mutex;
  static std::size_t next = 0;
  const std::scoped_lock lock(mutex);
  if (requested) return;
  Response& own = responses[next++ % responses.size()];
  // On a terminal the line of progress is erased first.
  const std::string line = fmt::format("{}gpcv: {}\n", ::isatty(STDERR_FILENO) == 1 ? "\r\x1b[K" : "", message);
  own.length = line.copy(own.text.data(), own.text.size());
  own.ends = ends;
  const bool first = response.exchange(&own) == nullptr;
  if (!first) return;
  for (const int signal : {SIGINT, SIGTERM}) {
    if (std::signal(signal, respond) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

}  // namespace

void end_on_signal(const std::string& message) { respond_with(message, true); }
void stop_on_signal(const std::string& message) { respond_with(message, false); }
bool stop_requested() { return requested; }
bool any_rank_stops(const Communicator* communicator) {
  return shared(communicator) ? communicator->maximum(requested ? 1 : 0) > 0 : requested.load();
}

}  // namespace gpcv::command
