/// What several folds report at once.
#pragma once

#include <atomic>
#include <mutex>

#include "core/clock.hpp"
#include "gpcv/trainer.hpp"

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
  /// Takes the place of what was last kept of the same folds, and saves all.
  void keep(std::vector<RunState> runs);
  /// Where an earlier process left a fold of this start; null where it is yet to begin.
  const RunState* left_at(int start, int fold) const;

  /// Starts that are over, by number from 0.
  int starts_over() const { return state_.round; }
  const std::vector<Optimum>& optima() const { return state_.optima; }
  const Vector& best() const { return state_.best; }
  const std::string& remark() const { return state_.remark; }

  /// Ends a start: its iterations join the history, and its θ is remembered when it is the best.
  void close_start(Optimum optimum, const Vector& log_theta, const std::string& remark);
  /// Everything that was reported, in the result's terms.
  void move_into(TrainResult& result);

 private:
  void gather(std::vector<IterationRecord>& history) const;

  const TrainOptions& options_;
  const Observer& observer_;
  double before_;
  const Stopwatch watch_;
  std::mutex mutex_;
  std::atomic<bool> stopped_ = false;
  TrainingState state_;                                ///< of the starts that are over
  std::vector<RunState> runs_;                         ///< of the start under way
  std::vector<std::vector<IterationRecord>> by_fold_;  ///< of the start under way
};

}  // namespace gpcv
