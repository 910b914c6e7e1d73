#include <gtest/gtest.h>
#include <omp.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "gpcv/machine.hpp"

namespace gpcv {
namespace {

/// Processor seconds of this process.
double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/// Processor seconds that threads take which wait for the first one to sleep, again and again.
double seconds_of_waiting(int threads) {
  double seconds = 0;
  std::thread([&] {
    const double before = processor_seconds();
    for (int round = 0; round < 100; ++round) {
#pragma omp parallel num_threads(threads)
      if (omp_get_thread_num() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    seconds = processor_seconds() - before;
  }).join();
  return seconds;
}

TEST(SleepingThreads, TakeNoProcessorWhileTheyWait) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) {
    GTEST_SKIP() << "the environment has set how threads wait";
  }
  const int threads = omp_get_num_procs();
  if (threads < 2) GTEST_SKIP() << "one processor has no threads that wait";
  // 100 waits of a millisecond; spinning threads take most of it, sleeping ones next to nothing.
  const SleepingThreads sleeping(threads);
  EXPECT_LT(seconds_of_waiting(threads), 0.05 * (threads - 1));
}

TEST(SleepingThreads, ComeAndGoForAnyNumber) {
  for (const int threads : {1, 2, 1000}) {
    const SleepingThreads first(threads), second(threads);
  }
}

}  // namespace
}  // namespace gpcv
