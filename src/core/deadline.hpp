/// The end of a fit: a time limit, a request from outside, and the time reserved for what must still be done.
#pragma once

#include <atomic>
#include <functional>
#include <limits>
#include <memory>

#include "gpcv/communicator.hpp"

namespace gpcv {

/// One clock for all parts of a fit. Work in progress asks over(); it ends when somebody has asked for that, or when
/// what is left of the time is reserved for later parts. A request leaves the later parts a grace period.
class Deadline {
 public:
  /// Seconds since any fixed moment, the same on all ranks.
  using Clock = std::function<double()>;
  static constexpr double never = std::numeric_limits<double>::infinity();

  /// limit: seconds from now, or `never`; asked: whether the caller asks to stop
  Deadline(double limit, std::function<bool()> asked, Clock clock);
  /// By the clock of rank 0.
  Deadline(double limit, std::function<bool()> asked, std::shared_ptr<const Communicator> communicator);

  /// Seconds since the beginning, and the limit as it was given.
  double seconds() const { return clock_() - began_; }
  double limit() const { return limit_; }
  bool is_limited() const { return limit_ < never; }
  /// Seconds until the end, which a request brings nearer.
  double left() const { return end_.load() - seconds(); }
  /// Seconds until the end that are not reserved.
  double free() const { return left() - reserved_.load(); }

  /// Seconds of the end that are kept for later parts.
  void reserve(double seconds) { reserved_ = seconds; }
  double reserved() const { return reserved_; }
  /// Seconds from a request to the end.
  void allow(double grace) { grace_ = grace; }
  double grace() const { return grace_; }

  /// Whether work in progress is to end.
  bool over();
  /// Asks as the caller does.
  void request();
  /// Whether the caller has asked, as far as over() knows.
  bool requested() const { return requested_; }
  /// From now on a request counts only by its end: what is in progress belongs to the result. `go_on` takes it back.
  void finish() { finishing_ = true; }
  void go_on() { finishing_ = false; }

 private:
  const double limit_;
  const std::function<bool()> asked_;
  const Clock clock_;
  const double began_;
  std::atomic<double> end_, reserved_ = 0, grace_ = never;
  std::atomic<bool> requested_ = false, finishing_ = false;
};

}  // namespace gpcv
