/// What several folds report at once.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>

#include "core/clock.hpp"
#include "trainers/common/training_state.hpp"

namespace gpcv {

/// Serialises the folds' iterations for the observer and their states for checkpoints, and remembers both in the order
/// of the folds, whatever the order they come in. It begins with what an earlier process left.
class TrainingLog {
 public:
  TrainingLog(const TrainOptions& options, const Observer& observer, std::size_t folds);

  /// Seconds since training began, in whichever process.
  double seconds() const { return before_ + watch_.seconds(); }
  bool stopped() const { return stopped_; }

  /// One iteration of a fold; false when the training is to stop.
  bool observe(IterationRecord record);

  bool wants_states() const { return static_cast<bool>(options_.checkpoint); }
  /// Changes the state of the start under way, and saves all.
  template <class State>
  void keep(const std::function<void(State&)>& change) {
    const std::lock_guard lock(mutex_);
    if (!std::holds_alternative<State>(state_.trainer)) state_.trainer = State();
    change(std::get<State>(state_.trainer));
    save();
  }
  /// Where an earlier process left this start; null where the start is yet to begin.
  template <class State>
  const State* left_at(int start) const {
    return options_.resume && static_cast<int>(options_.resume->optima.size()) == start ? &options_.resume->of<State>()
                                                                                        : nullptr;
  }

  /// The number of starts that are over; each left an optimum.
  int starts_over() const { return static_cast<int>(state_.optima.size()); }
  /// The remark on the best of them.
  const std::string& remark() const { return state_.remark; }

  /// Ends a start: its iterations join the history, and its remark is kept when it is the best.
  void close_start(Optimum optimum, const std::string& remark);
  /// Everything that was reported, in the result's terms.
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
  TrainingState state_;                                ///< its history is of the starts that are over
  std::vector<std::vector<IterationRecord>> by_fold_;  ///< of the start under way
};

}  // namespace gpcv
