#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace gpcv {
namespace {

TEST(ParallelFor, CallsEveryIndexOnce) {
  for (int count : {0, 1, 2, 7, 100}) {
    for (int threads : {1, 2, 3, 8, 200}) {
      std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
      parallel_for(count, threads, [&](int i) { ++calls.at(static_cast<std::size_t>(i)); });
      for (const std::atomic<int>& times : calls) EXPECT_EQ(times, 1) << count << " pieces, " << threads << " threads";
    }
  }
}

TEST(ParallelFor, OneWorkerGoesThroughTheIndicesInOrderOnTheCallersThread) {
  for (int threads : {1, 0, -3}) {
    const std::thread::id caller = std::this_thread::get_id();
    std::vector<int> order;
    parallel_for(20, threads, [&](int i) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      order.push_back(i);
    });
    ASSERT_EQ(order.size(), 20u);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
  }
}

TEST(ParallelFor, RunsAsManyAtOnceAsItMayAndNoMore) {
  // Each piece waits until another is at work, or gives up after a while.
  for (int threads : {2, 3}) {
    std::atomic<int> running = 0, most = 0;
    std::mutex mutex;
    std::set<std::thread::id> workers;
    parallel_for(12, threads, [&](int) {
      const int now = ++running;
      for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) continue;
      {
        const std::lock_guard lock(mutex);
        workers.insert(std::this_thread::get_id());
      }
      for (int wait = 0; wait < 200 && most < threads; ++wait)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      --running;
    });
    EXPECT_EQ(most, threads);
    EXPECT_EQ(workers.size(), static_cast<std::size_t>(threads));
  }
}

TEST(ParallelFor, PassesTheFirstExceptionOn) {
  for (int threads : {1, 2, 4}) {
    std::atomic<int> calls = 0;
    try {
      parallel_for(50, threads, [&](int i) {
        ++calls;
        if (i == 3) throw std::runtime_error("piece 3");
      });
      ADD_FAILURE() << "nothing was thrown with " << threads << " threads";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()), "piece 3");
    }
    EXPECT_GE(calls, 4);
    EXPECT_LE(calls, 50);
  }
}

TEST(ParallelFor, StartsNothingNewAfterAnException) {
  std::atomic<int> calls = 0;
  EXPECT_THROW(parallel_for(1000, 2,
                            [&](int) {
                              ++calls;
                              std::this_thread::sleep_for(std::chrono::milliseconds(1));
                              throw std::logic_error("every piece throws");
                            }),
               std::logic_error);
  EXPECT_LE(calls, 2);
}

TEST(ParallelFor, WaitsForThePiecesAtWorkBeforeItThrows) {
  std::atomic<bool> started = false, ended = false;
  EXPECT_THROW(parallel_for(2, 2,
                            [&](int i) {
                              if (i == 1) {
                                started = true;
                                std::this_thread::sleep_for(std::chrono::milliseconds(30));
                                ended = true;
                                return;
                              }
                              while (!started) std::this_thread::yield();
                              throw std::runtime_error("first");
                            }),
               std::runtime_error);
  EXPECT_TRUE(ended);
}

/// Threads that have worked on calls of this many pieces, each of which waits until all are at work.
std::set<std::thread::id> workers_of(int calls, int threads) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  for (int call = 0; call < calls; ++call) {
    std::atomic<int> working = 0;
    parallel_for(threads, threads, [&](int) {
      ++working;
      for (int wait = 0; wait < 10'000 && working < threads; ++wait)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
    });
  }
  return seen;
}

std::ptrdiff_t threads_of_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

TEST(ParallelFor, TheSameWorkersServeAllCalls) {
  const std::set<std::thread::id> first = workers_of(1, 5);
  ASSERT_EQ(first.size(), 5u);
  const std::ptrdiff_t before = threads_of_process();
  EXPECT_GE(before, 5);
  for (const int threads : {2, 5, 3}) EXPECT_GE(workers_of(20, threads).size(), static_cast<std::size_t>(threads));
  EXPECT_EQ(threads_of_process(), before) << "threads were started, or have ended";
}

TEST(ParallelFor, CallsWithinCallsAllEnd) {
  std::atomic<int> calls = 0;
  parallel_for(6, 3, [&](int) { parallel_for(5, 2, [&](int) { parallel_for(4, 4, [&](int) { ++calls; }); }); });
  EXPECT_EQ(calls, 6 * 5 * 4);
  EXPECT_THROW(parallel_for(3, 3,
                            [](int i) {
                              parallel_for(4, 2, [i](int j) {
                                if (i == 1 && j == 2) throw std::runtime_error("inner piece");
                              });
                            }),
               std::runtime_error);
}

TEST(ParallelFor, ManyCallersShareTheWorkers) {
  std::atomic<int> calls = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&calls, caller] {
      for (int call = 0; call < 200; ++call) {
        std::atomic<int> own = 0;
        parallel_for(1 + call % 7, 1 + (call + caller) % 4, [&](int) { ++own; });
        calls += own == 1 + call % 7 ? 1 : 0;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(calls, 800);
}

TEST(ParallelFor, WorksInAForkedProcess) {
  ASSERT_EQ(workers_of(1, 3).size(), 3u);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);  // a child that hangs is killed
    std::atomic<int> calls = 0;
    parallel_for(20, 3, [&](int) { ++calls; });
    ::_exit(calls == 20 && workers_of(1, 3).size() == 3 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(workers_of(1, 3).size(), 3u);
}

}  // namespace
}  // namespace gpcv
