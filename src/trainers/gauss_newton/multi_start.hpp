/// Several starts side by side on one part of the data, and which of them is followed to the end.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "trainers/gauss_newton/descent.hpp"

namespace gpcv {

class MultiStart {
 public:
  /// What the outside hears of it.
  struct Events {
    std::function<bool(const Descent&)> stepped;   ///< also for each start's first point; false: stop
    std::function<void(const Descent&)> given_up;  ///< well behind, failed, or where a better one is
    std::function<void()> round_over;              ///< every run has taken a step
  };

  /// Plan and options outlive it.
  MultiStart(std::shared_ptr<const Problem> part, const TrainingPlan& plan, const TrainOptions& options, Events events)
      : part_(std::move(part)), plan_(plan), options_(options), events_(std::move(events)) {}

  /// Follows the runs until one has won and has arrived; false when it was stopped.
  /// rounds_taken: rounds that an earlier process took of runs that go on; none for runs that begin.
  bool run(std::vector<DescentState> runs, std::optional<int> rounds_taken, const std::shared_ptr<Work>& work);

  int rounds() const { return rounds_; }
  /// Still followed, the best first once it is over.
  const std::vector<std::unique_ptr<Descent>>& alive() const { return alive_; }
  /// The best run, one whose derivatives failed only where all have failed; null when no start could be evaluated.
  Descent* winner() const;

 private:
  void take_first_points();
  void take_steps();
  void note(const Descent& descent);
  void drop_failed();
  void drop_laggards();
  void keep_best();

  const MultiStartSettings settings_;
  const std::shared_ptr<const Problem> part_;
  const TrainingPlan& plan_;
  const TrainOptions& options_;
  Events events_;
  std::vector<std::unique_ptr<Descent>> alive_;
  int rounds_ = 0;
  bool resumed_ = false, stopped_ = false;
};

}  // namespace gpcv
