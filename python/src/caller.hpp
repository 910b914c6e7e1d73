/// Long computations beside the interpreter; signals and callbacks stay on the calling thread.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>

namespace gpcv::python {

/// Caller of a long computation, which runs on a thread of its own. Meanwhile the calling thread releases the
/// interpreter's lock and waits for the end, for Ctrl-C and for calls into Python. An exception that Python raises asks
/// the computation to stop and is raised again after its end.
class Caller {
 public:
  /// Runs the work and returns after its end. It throws the exception that Python raised, otherwise that of the work.
  void run(const std::function<void()>& work);

  /// Whether Python has raised an exception; the work should then stop.
  bool raised() const { return raised_; }
  /// Executes a call into Python on the calling thread and waits for it; to be called by the work. It does nothing
  /// after an exception was raised.
  void call(const std::function<void()>& in_python);

 private:
  void in_python(const std::function<void()>& what);

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* asked_ = nullptr;
  bool over_ = false;
  std::exception_ptr thrown_;  ///< exception of the work
  std::exception_ptr error_;   ///< exception of Python
  std::atomic<bool> raised_ = false;
};

}  // namespace gpcv::python
