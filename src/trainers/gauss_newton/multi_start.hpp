/// Several starts on one part of the data, and which of them is followed to the end.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "trainers/gauss_newton/descent.hpp"

namespace gpcv {

class MultiStart {
 public:
  /// Callbacks of the caller.
  struct Events {
    std::function<bool(const Descent&)> stepped;                ///< also for each start's first point; false: stop
    std::function<void(const DescentState&, Status)> given_up;  ///< well behind, failed, or where a better one is
    std::function<void()> round_over;                           ///< every run has taken a step
  };

  /// A way to the evaluator of one start.
  using MakeEvaluator = std::function<std::unique_ptr<FoldEvaluator>()>;

  /// Plan and options outlive it.
  MultiStart(std::shared_ptr<const Problem> part, const ExecutionPlan& plan, const TrainOptions& options, Events events,
             MakeEvaluator make_evaluator)
      : part_(std::move(part)),
        plan_(plan),
        options_(options),
        events_(std::move(events)),
        make_evaluator_(std::move(make_evaluator)) {}

  /// Follows the runs until one has won and has arrived, side by side, or one after the other where the plan has no
  /// memory for more; false when it was stopped.
  /// resumed: the checkpoint of an earlier process that the runs go on from; null for runs that begin.
  bool run(std::vector<DescentState> runs, const GaussNewtonState* resumed);

  /// Follows the winner by the loss of these deviations; false when it was stopped.
  bool run_again(Vector deviations);

  int rounds() const { return rounds_; }
  /// Iterations that the first point of the first start took.
  int first_iterations() const { return first_iterations_; }
  /// The states of all runs that are not given up, from which another process goes on as this one would.
  std::vector<DescentState> states() const;
  /// The best run, one whose derivatives failed only where all have failed; null when no start could be evaluated.
  Descent* winner() const;

 private:
  std::unique_ptr<Descent> descent(DescentState run, const Coordinates& box) const;
  void follow(DescentState run, const Coordinates& box);
  void follow_in_turn(std::vector<DescentState> runs, const Coordinates& box);
  bool is_behind(double error, double best) const;
  bool loses_to_best(const Descent& descent) const;
  void record_end(const DescentState& run, Status status);
  void take_first_points();
  void take_steps();
  void note(const Descent& descent);
  void drop_failed();
  void drop_inferior();
  void keep_best();
  void give_up(const Descent& descent) { events_.given_up(descent.state(), descent.status()); }

  const MultiStartSettings settings_;
  const std::shared_ptr<const Problem> part_;
  const ExecutionPlan& plan_;
  const TrainOptions& options_;
  Events events_;
  MakeEvaluator make_evaluator_;
  std::vector<std::unique_ptr<Descent>> alive_;
  int rounds_ = 0;
  bool has_first_ = false;
  int first_iterations_ = 0;
  // These members belong to starts that are followed one after the other.
  std::vector<DescentState> waiting_;  ///< in reverse order
  std::optional<DescentState> best_;   ///< of those that have arrived, without its vectors
  Vector errors_;                      ///< of the one that is followed, after each of its rounds
  bool resumed_ = false, stopped_ = false;
};

}  // namespace gpcv
