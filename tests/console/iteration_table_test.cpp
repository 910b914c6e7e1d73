#include "console/iteration_table.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <termios.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace gpcv::command {
namespace {

/// While it lives, standard output and standard error are a terminal whose screen it remembers.
class FakeTerminal {
 public:
  FakeTerminal() {
    int inside = -1;
    EXPECT_EQ(::openpty(&outside_, &inside, nullptr, nullptr, nullptr), 0);
    termios settings{};
    ::tcgetattr(inside, &settings);
    ::cfmakeraw(&settings);  // characters arrive as they were written
    ::tcsetattr(inside, TCSANOW, &settings);
    std::fflush(stdout);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
      saved_.push_back(::dup(stream));
      ::dup2(inside, stream);
    }
    ::close(inside);
    reader_ = std::thread([this] {
      char piece[4096];
      for (ssize_t count = 0; (count = ::read(outside_, piece, sizeof piece)) > 0;) {
        text_.append(piece, static_cast<std::size_t>(count));
      }
    });
  }
  ~FakeTerminal() {
    if (reader_.joinable()) close();
  }
  FakeTerminal(const FakeTerminal&) = delete;
  FakeTerminal& operator=(const FakeTerminal&) = delete;

  /// Gives the streams back and returns the lines that are left on the screen.
  std::vector<std::string> close() {
    std::fflush(stdout);
    ::dup2(saved_[0], STDOUT_FILENO);
    ::dup2(saved_[1], STDERR_FILENO);
    for (const int stream : saved_) ::close(stream);
    reader_.join();  // reads until nobody has the terminal open
    ::close(outside_);
    return lines_of(text_);
  }

 private:
  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines(1);
    std::size_t column = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      std::string& line = lines.back();
      if (text[i] == '\n') {
        lines.emplace_back();
        column = 0;
      } else if (text[i] == '\r') {
        column = 0;
      } else if (text.compare(i, 3, "\x1b[K") == 0) {
        line.resize(std::min(line.size(), column));
        i += 2;
      } else {
        line.resize(std::max(line.size(), column + 1), ' ');
        line[column++] = text[i];
      }
    }
    return lines;
  }

  int outside_ = -1;
  std::vector<int> saved_;
  std::string text_;
  std::thread reader_;
};

TEST(IterationTable, RowsAndLiveLineOfManyThreadsNeverShareALine) {
  constexpr int rows = 200, tickers = 4;
  FakeTerminal terminal;
  {
    IterationTable table({}, true, true, 0);
    std::atomic<bool> over = false;
    std::vector<std::thread> threads;
    for (int i = 0; i < tickers; ++i) {
      threads.emplace_back([&] {
        while (!over) table.tick();
      });
    }
    for (int i = 0; i < rows; ++i) {
      IterationRecord record;
      record.iteration = i;
      record.objective = 1;
      record.seconds = i;  // far enough apart for each to be printed
      table.row(record);
    }
    over = true;
    for (std::thread& thread : threads) thread.join();
    table.end();
  }
  const std::vector<std::string> lines = terminal.close();
  ASSERT_EQ(lines.size(), rows + 2U);  // the rule, and the empty line after it
  for (int i = 0; i < rows; ++i) {
    EXPECT_THAT(lines[static_cast<std::size_t>(i)], testing::StartsWith(fmt::format("     1 | {:>6} |", i)));
  }
  EXPECT_EQ(lines[rows], std::string(78, '-'));
}

TEST(IterationTable, ShowsTheLiveLineOnATerminal) {
  FakeTerminal terminal;
  {
    IterationTable table({}, false, true, 0);
    table.tick();
    std::fprintf(stderr, "\n");  // keeps the line
  }
  const std::vector<std::string> lines = terminal.close();
  EXPECT_THAT(lines.front(), testing::StartsWith("solving, "));
}

}  // namespace
}  // namespace gpcv::command
