#include "core/deadline.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace gpcv {
namespace {

Deadline::Clock clock_of(std::shared_ptr<const Communicator> communicator) {
  return [communicator = std::move(communicator)] {
    double now = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    if (shared(communicator.get())) communicator->broadcast_values(0, &now, 1);
    return now;
  };
}

}  // namespace

Deadline::Deadline(double limit, std::function<bool()> asked, Clock clock)
    : limit_(limit), asked_(std::move(asked)), clock_(std::move(clock)), began_(clock_()), end_(limit) {}

Deadline::Deadline(double limit, std::function<bool()> asked, std::shared_ptr<const Communicator> communicator)
    : Deadline(limit, std::move(asked), clock_of(std::move(communicator))) {}

void Deadline::request() {
  if (requested_) return;
  requested_ = true;
  end_ = std::min(end_.load(), seconds() + grace_);
}

bool Deadline::over() {
  if (!requested_ && asked_ && asked_()) request();
  if (requested_ && !finishing_) return true;
  return end_ < never && free() <= 0;
}

}  // namespace gpcv
