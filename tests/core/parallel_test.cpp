#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
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

}  // namespace
}  // namespace gpcv
