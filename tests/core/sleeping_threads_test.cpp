#include <gtest/gtest.h>
#include <omp.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <thread>

#include "gpcv/machine.hpp"

namespace gpcv {
namespace {

/// Processor seconds of the calling thread.
double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Processor seconds of all threads of a region of OpenMP. Threads that a BLAS library started, which spin for a tenth
/// of a second, are not counted.
double seconds_of_region(int threads) {
  double seconds = 0;
#pragma omp parallel num_threads(threads) reduction(+ : seconds)
  seconds += processor_seconds();
  return seconds;
}

/// Processor seconds that threads take which wait for the first one to sleep, again and again.
double seconds_of_waiting(int threads) {
  double seconds = 0;
  std::thread([&] {
    const double before = seconds_of_region(threads);
    for (int round = 0; round < 100; ++round) {
#pragma omp parallel num_threads(threads)
      if (omp_get_thread_num() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    seconds = seconds_of_region(threads) - before;
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
