/// The log of a training whose folds run concurrently.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>

#include "core/clock.hpp"
#include "trainers/common/training_state.hpp"

namespace gpcv {

/// Log that serialises the folds' iterations for the observer and their states for checkpoints. It keeps both in the
/// order of the folds, regardless of the order of arrival, and it begins with the state of an earlier process.
class TrainingLog {
 public:
  TrainingLog(const TrainOptions& options, const Observer& observer, std::size_t folds);

  /// Seconds since training began, including those of earlier processes.
  double seconds() const { return before_ + watch_.seconds(); }
  bool stopped() const { return stopped_; }

  /// Records one iteration of a fold; returns false if the training must stop.
  bool observe(IterationRecord record);

  bool wants_states() const { return static_cast<bool>(options_.checkpoint); }
  /// Applies a change to the state of the current start, then writes a checkpoint.
  template <class State>
  void keep(const std::function<void(State&)>& change) {
    const std::lock_guard lock(mutex_);
    if (!std::holds_alternative<State>(state_.trainer)) state_.trainer = State();
    change(std::get<State>(state_.trainer));
    save();
  }
  /// State in which an earlier process left this start; null if the start has not begun.
  template <class State>
  const State* left_at(int start) const {
    return options_.resume && static_cast<int>(options_.resume->optima.size()) == start ? &options_.resume->of<State>()
                                                                                        : nullptr;
  }

  /// Number of finished starts, each of which has an optimum.
  int starts_over() const { return static_cast<int>(state_.optima.size()); }
  /// Remark on the best finished start.
  const std::string& remark() const { return state_.remark; }

  /// Ends a start: appends its iterations to the history, and keeps its remark if it is the best.
  void close_start(Optimum optimum, const std::string& remark);
  /// Moves the history and the optima into the result.
  void move_into(TrainResult& result);

 private:
  void gather(std::vector<IterationRecord>& history) const;
  void save();

  const TrainOptions& options_;
  const Observer& observer_;
  double before_;
  const Stopwatch watch_;
  std::mutex mutex_;
  std::atomic<bool> stopped_ = false;
  TrainingState state_;                                ///< its history covers the finished starts
  std::vector<std::vector<IterationRecord>> by_fold_;  ///< records of the current start
};

}  // namespace gpcv
