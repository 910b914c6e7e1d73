/// Long work beside the interpreter: signals and callbacks stay on the thread that called.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>

namespace gpcv::python {

/// Runs work on a thread of its own while the calling thread, without the interpreter's lock, waits for the end, for
/// Ctrl-C and for what the work wants said in Python. Whatever Python raises meanwhile asks the work to stop and is
/// raised again once it has.
class Caller {
 public:
  /// Returns when the work has; passes on what Python raised, else what the work threw.
  void run(const std::function<void()>& work);

  /// For the work to ask: whether Python has raised something.
  bool raised() const { return raised_; }
  /// From inside the work: calls in Python on the calling thread and waits for it. After something was raised it does
  /// nothing.
  void call(const std::function<void()>& in_python);

 private:
  void in_python(const std::function<void()>& what);

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* asked_ = nullptr;
  bool over_ = false;
  std::exception_ptr thrown_;  ///< by the work
  std::exception_ptr error_;   ///< by Python
  std::atomic<bool> raised_ = false;
};

}  // namespace gpcv::python
