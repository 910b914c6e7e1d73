/// The trainings with which a choice compares its candidates.
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "core/clock.hpp"
#include "gpcv/fit.hpp"

namespace gpcv {

/// What the candidates of a race have in common: the parts of the rows, the folds, the memory, the time and the options
/// of a training. The data and the options outlive it.
class ChoiceTrainings {
 public:
  /// rows: numbers of rows of the rounds; share: part of a time limit that the choice may take
  ChoiceTrainings(const Dataset& data, const FitOptions& options, const std::vector<Index>& rows, double share);

  const ComputeOptions& compute() const { return compute_; }
  int threads() const { return compute_.threads; }
  /// The user's folds of all rows.
  const Folds& folds() const { return folds_; }
  const std::vector<Index>& rows(int round) const { return rows_[static_cast<std::size_t>(round)]; }
  const std::vector<Index>& most_rows() const { return rows_.back(); }
  double seconds() const { return watch_.seconds(); }

  /// The number of candidates that are trained side by side within the memory.
  int concurrently() const;
  /// Whether the choice is to stop, asked by all ranks together.
  bool stopped();
  /// Whether it was told to, without asking again.
  bool stop_requested() const { return stop_requested_; }
  /// Whether this thread made the object; only it may call back.
  bool is_caller() const { return std::this_thread::get_id() == caller_; }

  /// The options of one candidate's training, from given values.   to_the_end: by the user's criterion, not squares
  TrainOptions training(int steps, bool to_the_end);

 private:
  const FitOptions& options_;
  const ComputeOptions compute_;
  const Folds folds_;
  const double share_;
  std::vector<std::vector<Index>> rows_;  ///< of each round
  const Stopwatch watch_;
  const std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<bool> stop_requested_ = false;
};

}  // namespace gpcv
