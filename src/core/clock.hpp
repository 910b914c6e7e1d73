/// Wall-clock time, and time by phase.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace gpcv {

/// Seconds since the object was made.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Seconds spent in each named phase, in the order they first began.
class PhaseTimes {
 public:
  /// Returns the result of work() and adds the time it took to the phase, also when it throws.
  template <class Work>
  decltype(auto) time(const std::string& phase, Work&& work) {
    struct Guard {
      PhaseTimes& times;
      const std::string& phase;
      Stopwatch watch;
      ~Guard() { times.add(phase, watch.seconds()); }
    } guard{*this, phase, {}};
    return std::forward<Work>(work)();
  }
  void add(const std::string& phase, double seconds) {
    for (auto& [name, total] : phases_) {
      if (name == phase) {
        total += seconds;
        return;
      }
    }
    phases_.emplace_back(phase, seconds);
  }
  const std::vector<std::pair<std::string, double>>& phases() const { return phases_; }

 private:
  std::vector<std::pair<std::string, double>> phases_;
};

}  // namespace gpcv
