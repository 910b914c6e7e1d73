#include "caller.hpp"

#include <R.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

#include "gpcv/error.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/quantity.hpp"

namespace gpcv::r {
namespace {

using namespace std::chrono_literals;

/// Seconds before anything is shown, and between two messages.
constexpr double patience = 2, between_messages = 10;

SEXP check_interrupts(void*) {
  R_CheckUserInterrupt();
  return R_NilValue;
}
SEXP keep_condition(SEXP condition, void* kept) {
  *static_cast<SEXP*>(kept) = condition;
  R_PreserveObject(condition);
  return R_NilValue;
}

/// Condition that R signals while it looks for interrupts; null when there is none.
SEXP signalled_condition() {
  SEXP kept = nullptr;
  cpp11::unwind_protect([&] {
    SEXP classes = PROTECT(Rf_allocVector(STRSXP, 2));
    SET_STRING_ELT(classes, 0, Rf_mkChar("interrupt"));
    SET_STRING_ELT(classes, 1, Rf_mkChar("error"));
    R_tryCatch(check_interrupts, nullptr, classes, keep_condition, &kept, nullptr, nullptr);
    UNPROTECT(1);
  });
  return kept;
}

}  // namespace

Display display_named(const std::string& name) {
  if (name == "live") return Display::live;
  return name == "lines" ? Display::lines : Display::none;
}

void Caller::tell(const std::string& text) {
  const std::scoped_lock lock(mutex_);
  text_ = text;
}

void Caller::call(const std::function<void()>& in_r) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return asked_ == nullptr; });  // another thread is being served
  asked_ = &in_r;
  changed_.notify_all();
  changed_.wait(lock, [&] { return asked_ != &in_r; });
}

void Caller::in_r(const std::function<void()>& what) {
  if (error_) return;
  try {
    what();
  } catch (...) {
    error_ = std::current_exception();
    abandoned_ = true;
  }
}

void Caller::look_for_interrupts() {
  SEXP kept = signalled_condition();
  if (kept == nullptr) return;
  const cpp11::sexp condition(kept);
  R_ReleaseObject(kept);
  if (!Rf_inherits(condition, "interrupt")) throw ConditionOfR{condition};
  interrupted();
}

/// The first interrupt asks for the best so far, where there is one.
void Caller::interrupted() {
  const double seconds = result_after_;
  if (seconds < 0 || stopped_) throw UserInterrupt{};
  stopped_ = true;
  erase();
  const std::string time =
      seconds < 100 ? std::to_string(static_cast<int>(std::ceil(seconds))) + " s" : duration(seconds);
  REprintf("gpcv: stopping; the result is there in about %s; interrupt again to end at once\n", time.c_str());
}

std::string Caller::line() {
  std::string text = "gpcv: ";
  {
    const std::scoped_lock lock(mutex_);
    text += text_.empty() ? "computing" : text_;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  text += ", " + duration(seconds);
  const double expected = expected_;
  if (expected > seconds) text += " of about " + rough_duration(expected);
  return text;
}

void Caller::show() {
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  if (display_ == Display::none || seconds < patience) return;
  if (display_ == Display::lines) {
    if (shown_at_ > 0 && seconds - shown_at_ < between_messages) return;
    shown_at_ = seconds;
    static const cpp11::function message = cpp11::package("base")["message"];
    message(line());
    return;
  }
  if (seconds - shown_at_ < 0.25) return;
  shown_at_ = seconds;
  const SEXP option = Rf_GetOption1(Rf_install("width"));
  const auto width = static_cast<std::size_t>(std::max(20, Rf_isNull(option) ? 80 : Rf_asInteger(option)) - 1);
  std::string text = line();
  text.resize(width, ' ');  // what is there stays where the new text is shorter
  REprintf("\r%s", text.c_str());
  R_FlushConsole();
  drawn_ = true;
}

void Caller::erase() {
  if (!drawn_) return;
  drawn_ = false;
  const SEXP option = Rf_GetOption1(Rf_install("width"));
  const auto width = static_cast<std::size_t>(std::max(20, Rf_isNull(option) ? 80 : Rf_asInteger(option)) - 1);
  REprintf("\r%s\r", std::string(width, ' ').c_str());
  R_FlushConsole();
}

/// One round of R's thread while the work goes on.
void Caller::serve(std::unique_lock<std::mutex>& lock) {
  const bool woken = changed_.wait_for(lock, 100ms, [&] { return over_ || asked_ != nullptr; });
  if (over_) return;
  const std::function<void()>* what = asked_;
  lock.unlock();
  if (woken && what != nullptr) in_r(*what);
  in_r([&] { look_for_interrupts(); });
  in_r([&] { show(); });
  lock.lock();
  if (what != nullptr) asked_ = nullptr;
  changed_.notify_all();
}

void Caller::run(const std::function<void()>& work) {
  // A function of the user is called while the work waits; what it calls must not jump over that work.
  static bool busy = false;
  if (busy) throw InputError("gpcv is computing already: the function 'progress' cannot fit or predict");
  busy = true;
  struct Release {
    ~Release() { busy = false; }
  } const release;
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
  {
    // R has loaded OpenMP before it could be told how to wait. Short work needs no help.
    std::unique_ptr<SleepingThreads> sleeping;
    std::unique_lock lock(mutex_);
    while (!over_) {
      serve(lock);
      if (!over_ && !sleeping) sleeping = std::make_unique<SleepingThreads>(threads_);
    }
  }
  worker.join();
  erase();
  if (error_) std::rethrow_exception(error_);
  if (thrown_) std::rethrow_exception(thrown_);
}

}  // namespace gpcv::r
