/// Runs a program as a user would: arguments, pipes or a terminal, signals, a time limit.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gpcv {

/// How a program ended and what it printed.
struct Finished {
  int exit_code = -1;      ///< -1: ended by a signal
  int signal = 0;          ///< 0: ended by itself
  bool timed_out = false;  ///< killed because it took too long
  std::string out, err;
};

struct ProcessOptions {
  bool terminal = false;                ///< standard error is a terminal, and the one that controls the program
  std::string out_file = {};            ///< standard output goes to this file instead of to the test
  bool closed_out = false;              ///< standard output is closed, as `>&-` does
  rlim_t largest_file = RLIM_INFINITY;  ///< bytes that a file may have, as `ulimit -f` sets it
  int ignored = 0;                      ///< signal that the program is started to ignore, as nohup does; 0: none
};

class Process {
 public:
  explicit Process(std::vector<std::string> arguments, const ProcessOptions& options = {}) {
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);

    const int nothing = checked(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    std::array<int, 2> out{}, err{};  // what we read, what the program writes
    checked(::pipe2(out.data(), O_CLOEXEC));
    if (!options.out_file.empty()) {
      ::close(out[1]);
      out[1] = checked(::open(options.out_file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    }
    if (options.terminal) {
      winsize size{.ws_row = 40, .ws_col = 120, .ws_xpixel = 0, .ws_ypixel = 0};
      checked(::openpty(&err[0], &err[1], nullptr, nullptr, &size));
      for (int end : err) ::fcntl(end, F_SETFD, FD_CLOEXEC);
    } else {
      checked(::pipe2(err.data(), O_CLOEXEC));
    }

    id_ = checked(::fork());
    if (id_ == 0) {
      // A test run in the background may have been told to ignore these.
      for (int signal : {SIGINT, SIGTERM, SIGPIPE}) ::signal(signal, signal == options.ignored ? SIG_IGN : SIG_DFL);
      if (options.largest_file != RLIM_INFINITY) {
        const rlimit limit{options.largest_file, options.largest_file};
        ::setrlimit(RLIMIT_FSIZE, &limit);
      }
      if (options.terminal) {
        ::setsid();
        ::ioctl(err[1], TIOCSCTTY, 0);
      }
      ::dup2(nothing, STDIN_FILENO);
      ::dup2(out[1], STDOUT_FILENO);
      ::dup2(err[1], STDERR_FILENO);
      if (options.closed_out) ::close(STDOUT_FILENO);
      ::execv(argv[0], argv.data());
      ::_exit(127);
    }
    for (int end : {nothing, out[1], err[1]}) ::close(end);
    streams_ = {Stream{out[0], {}}, Stream{err[0], {}}};
  }
  ~Process() {
    if (!reaped_) {
      ::kill(id_, SIGKILL);
      ::waitpid(id_, nullptr, 0);
    }
    for (Stream& stream : streams_) stream.close();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t id() const { return id_; }
  void send(int signal) const {
    if (!reaped_) ::kill(id_, signal);
  }
  /// Keys pressed on its terminal.
  void type(std::string_view keys) const {
    if (::write(streams_[1].descriptor, keys.data(), keys.size()) < 0) throw std::runtime_error("the terminal is gone");
  }
  /// Waits until it has printed `text` to either stream; false when it ended or the time is up before that.
  bool wait_for(std::string_view text, double seconds) {
    const auto deadline = after(seconds);
    const auto printed = [&](const Stream& stream) { return stream.text.find(text) != std::string::npos; };
    while (std::none_of(streams_.begin(), streams_.end(), printed)) {
      if (!read_some(deadline)) return false;
    }
    return true;
  }
  /// Reads to the end. Past the time limit the program is killed.
  Finished finish(double seconds) {
    Finished result;
    const auto deadline = after(seconds);
    while (read_some(deadline)) continue;
    result.timed_out = open_streams() > 0;
    if (result.timed_out) send(SIGKILL);
    int status = 0;
    ::waitpid(id_, &status, 0);
    reaped_ = true;
    if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    result.out = streams_[0].text;
    result.err = streams_[1].text;
    return result;
  }

 private:
  using Time = std::chrono::steady_clock::time_point;

  struct Stream {
    int descriptor = -1;
    std::string text;
    void close() {
      if (descriptor >= 0) ::close(descriptor);
      descriptor = -1;
    }
  };

  static int checked(int result) {
    if (result < 0) throw std::runtime_error("cannot start a program");
    return result;
  }
  static Time after(double seconds) {
    return std::chrono::steady_clock::now() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
  }
  std::ptrdiff_t open_streams() const {
    return std::count_if(streams_.begin(), streams_.end(), [](const Stream& s) { return s.descriptor >= 0; });
  }
  /// False at the deadline and when both streams have ended.
  bool read_some(Time deadline) {
    if (open_streams() == 0) return false;
    using std::chrono::milliseconds;
    const auto left = std::chrono::duration_cast<milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0) return false;
    std::array<pollfd, 2> wanted{};
    for (std::size_t i = 0; i < 2; ++i) wanted[i] = {.fd = streams_[i].descriptor, .events = POLLIN, .revents = 0};
    ::poll(wanted.data(), wanted.size(), static_cast<int>(std::min<long long>(left, 1000)));
    for (std::size_t i = 0; i < 2; ++i) {
      if (wanted[i].revents == 0) continue;
      std::array<char, 65536> piece{};
      const ssize_t count = ::read(streams_[i].descriptor, piece.data(), piece.size());
      // A terminal whose program has ended answers with an error.
      if (count <= 0) {
        streams_[i].close();
      } else {
        streams_[i].text.append(piece.data(), static_cast<std::size_t>(count));
      }
    }
    return true;
  }

  pid_t id_ = -1;
  bool reaped_ = false;
  std::array<Stream, 2> streams_;
};

}  // namespace gpcv
