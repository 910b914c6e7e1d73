#include "caller.hpp"

#include <chrono>
#include <thread>

namespace gpcv::python {

namespace nb = nanobind;

void Caller::in_python(const std::function<void()>& what) {
  if (raised_) return;
  const nb::gil_scoped_acquire lock;
  try {
    what();
  } catch (...) {
    error_ = std::current_exception();
    raised_ = true;
  }
}

void Caller::call(const std::function<void()>& in_python) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return asked_ == nullptr; });  // another thread is being served
  asked_ = &in_python;
  changed_.notify_all();
  changed_.wait(lock, [&] { return asked_ != &in_python; });
}

void Caller::run(const std::function<void()>& work) {
  using namespace std::chrono_literals;
  {
    const nb::gil_scoped_release unlocked;
    std::thread worker([&] {
      try {
        work();
      } catch (...) {
        thrown_ = std::current_exception();
      }
      const std::scoped_lock lock(mutex_);
      over_ = true;
      changed_.notify_all();
    });
    std::unique_lock lock(mutex_);
    while (!over_) {
      const bool woken = changed_.wait_for(lock, 100ms, [&] { return over_ || asked_ != nullptr; });
      if (over_) break;
      const std::function<void()>* what = asked_;
      lock.unlock();
      if (woken && what != nullptr) in_python(*what);
      in_python([] {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
      });
      lock.lock();
      if (what != nullptr) asked_ = nullptr;
      changed_.notify_all();
    }
    lock.unlock();
    worker.join();
  }
  if (error_) std::rethrow_exception(error_);
  if (thrown_) std::rethrow_exception(thrown_);
}

}  // namespace gpcv::python
