#include "core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/threads.hpp"

namespace gpcv {

void parallel_for(int count, int threads, const std::function<void(int)>& work) {
  const int workers = std::clamp(threads, 1, std::max(1, count));
  if (workers == 1) {
    for (int i = 0; i < count; ++i) work(i);
    return;
  }
  // The number of BLAS threads is one for the whole process: it is set before the workers start, and they all set
  // the same.
  const BlasThreads guard(1);
  std::atomic<int> next = 0;
  std::exception_ptr error;
  std::mutex mutex;
  auto run = [&] {
    for (int i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!error) error = std::current_exception();
        next = count;
      }
    }
  };
  std::vector<std::thread> pool;
  for (int i = 1; i < workers; ++i) pool.emplace_back(run);
  run();
  for (std::thread& thread : pool) thread.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace gpcv
