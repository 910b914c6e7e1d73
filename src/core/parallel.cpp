#include "core/parallel.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>

#include "core/threads.hpp"

namespace gpcv {
namespace {

/// One call of parallel_for: the pieces, and the workers that have joined the caller.
struct Call {
  Call(int pieces, int helpers, const std::function<void(int)>& function)
      : count(pieces), wanted(helpers), work(function) {}

  /// Takes pieces until none is left. After an exception nothing new is started.
  void run() {
    for (int i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(error_mutex);
        if (!error) error = std::current_exception();
        next = count;
      }
    }
  }

  const int count;
  int wanted;       ///< workers that may still join; guarded by the mutex of the pool
  int working = 0;  ///< workers that have joined and not yet left; guarded likewise
  std::condition_variable left;
  const std::function<void(int)>& work;
  std::atomic<int> next = 0;
  std::mutex error_mutex;
  std::exception_ptr error;
};

/// Workers that live as long as the process and sleep between calls. Threads that were started for each call of eight
/// pieces of 16 µs and joined at its end took 2 to 10 times the time of these workers, on two busy cores. The pool is a
/// resource, as memory is: each call says how many workers it may have, and the pool has as many as were ever wanted at
/// one time. A call made by a worker is one like any other, because each caller works on its own pieces and waits only
/// for workers that have begun.
class Pool {
 public:
  /// The pool of this process. It is never destroyed: at the end of the process its workers sleep.
  static Pool& of_process() {
    static const bool follows_forks = [] {
      current() = new Pool;
      ::pthread_atfork([] { current().load()->mutex_.lock(); }, [] { current().load()->mutex_.unlock(); },
                       [] { current() = new Pool; });  // a child has none of the workers, so it begins with a new pool
      return true;
    }();
    static_cast<void>(follows_forks);
    return *current();
  }

  void run(Call& call) {
    invite(call);
    call.run();
    std::unique_lock lock(mutex_);
    wanted_ -= call.wanted;
    call.wanted = 0;
    calls_.remove(&call);
    call.left.wait(lock, [&] { return call.working == 0; });
  }

 private:
  static std::atomic<Pool*>& current() {
    static std::atomic<Pool*> pool = nullptr;
    return pool;
  }

  /// Offers the call to sleeping workers, and starts those that are missing.
  void invite(Call& call) {
    const std::lock_guard lock(mutex_);
    calls_.push_back(&call);
    wanted_ += call.wanted;
    try {
      for (; sleeping_ < wanted_; ++sleeping_) std::thread([this] { serve(); }).detach();
    } catch (const std::exception&) {
      // The system gives no more threads: the caller and those that there are do the work.
    }
    for (int i = 0; i < call.wanted; ++i) wake_.notify_one();
  }

  /// Joins one call after the other, for ever.
  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return wanted_ > 0; });
      const auto open = std::find_if(calls_.begin(), calls_.end(), [](const Call* call) { return call->wanted > 0; });
      Call& call = **open;
      --call.wanted;
      --wanted_;
      --sleeping_;
      ++call.working;
      lock.unlock();
      call.run();
      lock.lock();
      ++sleeping_;
      if (--call.working == 0) call.left.notify_one();  // under the lock, after which the call may be gone
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::list<Call*> calls_;  ///< that have not yet returned, oldest first
  int wanted_ = 0;          ///< workers that all calls together may still have
  int sleeping_ = 0;        ///< workers without a call, including those that are about to wake
};

}  // namespace

void parallel_for(int count, int threads, const std::function<void(int)>& work) {
  const int workers = std::clamp(threads, 1, std::max(1, count));
  if (workers == 1) {
    for (int i = 0; i < count; ++i) work(i);
    return;
  }
  // The number of BLAS threads is one for the whole process: it is set before the workers start, and they all set
  // the same.
  const BlasThreads guard(1);
  Call call(count, workers - 1, work);
  Pool::of_process().run(call);
  if (call.error) std::rethrow_exception(call.error);
}

}  // namespace gpcv
