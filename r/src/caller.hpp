/// Long computations beside the interpreter; interrupts, callbacks and what the user sees stay on R's thread.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <string>

#include "lists.hpp"

namespace gpcv::r {

/// Interrupt by the user of a computation that has no result.
struct UserInterrupt {};

/// Condition of R that ended a computation, such as the end of setTimeLimit(); it is signalled again.
struct ConditionOfR {
  cpp11::sexp condition;
};

/// What the user sees of a computation that takes longer than two seconds.
enum class Display {
  none,   ///< nothing
  live,   ///< one line that is drawn again
  lines,  ///< a message every ten seconds
};
/// Display of the name "none", "live" or "lines".
Display display_named(const std::string& name);

/// Caller of a long computation, which runs on a thread of its own. Meanwhile R's thread waits for the end, for
/// interrupts and for calls into R. A condition that R raises asks the computation to stop and is raised again after
/// its end.
class Caller {
 public:
  /// Caller of work with this number of threads.
  Caller(Display display, int threads) : display_(display), threads_(threads) {}

  /// Runs the work and returns after its end. It throws what R has raised, otherwise what the work has thrown.
  void run(const std::function<void()>& work);

  /// Whether the work should end, with what it has.
  bool stops() const { return stopped_ || abandoned_; }
  /// Whether the work should end without a result.
  bool abandoned() const { return abandoned_; }

  /// Tells, from any thread, what the work does.
  void tell(const std::string& text);
  /// Tells, from any thread, how many seconds the work will take in all.
  void expect(double seconds) { expected_ = seconds; }
  /// Tells, from any thread, that an interrupt leaves a result after so many seconds.
  void keep_after(double seconds) { result_after_ = seconds; }

  /// Executes a call into R on R's thread and waits for it; to be called by the work. It does nothing after R has
  /// raised a condition.
  void call(const std::function<void()>& in_r);

 private:
  void serve(std::unique_lock<std::mutex>& lock);
  void in_r(const std::function<void()>& what);
  void look_for_interrupts();
  void interrupted();
  void show();
  void erase();
  std::string line();

  const Display display_;
  const int threads_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  double shown_at_ = 0;
  bool drawn_ = false;

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* asked_ = nullptr;
  bool over_ = false;
  std::string text_;           ///< what the work does
  std::exception_ptr thrown_;  ///< exception of the work
  std::exception_ptr error_;   ///< exception of R
  std::atomic<bool> stopped_ = false, abandoned_ = false;
  std::atomic<double> expected_ = 0, result_after_ = -1;
};

}  // namespace gpcv::r
