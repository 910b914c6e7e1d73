#include <omp.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>

#include "gpcv/machine.hpp"

namespace gpcv {

/// Thread whose own threads of OpenMP do nothing but be there.
struct SleepingThreads::Spare {
  explicit Spare(int threads) {
    thread = std::thread([this, threads] {
      std::atomic<int> present = 0;  // a compiler would leave out an empty region
#pragma omp parallel num_threads(threads)
      ++present;
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return over; });
    });
  }
  ~Spare() {
    {
      const std::scoped_lock lock(mutex);
      over = true;
    }
    changed.notify_all();
    thread.join();
  }
  Spare(const Spare&) = delete;
  Spare& operator=(const Spare&) = delete;

  std::mutex mutex;
  std::condition_variable changed;
  bool over = false;
  std::thread thread;
};

SleepingThreads::SleepingThreads(int threads) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  // With `threads` of a computation, the first thread of the process counted among them, and those of a spare thread,
  // its own not counted, there are more than processors. Where many processors are idle, spinning takes nothing from
  // anybody.
  const int processors = omp_get_num_procs();
  if (2 * threads < processors) return;
  spare_ = std::make_unique<Spare>(std::max(2, processors - threads + 2));
}

SleepingThreads::~SleepingThreads() = default;

}  // namespace gpcv
