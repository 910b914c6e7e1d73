/// Folds spread over the ranks of a team.
#pragma once

#include <functional>
#include <memory>

#include "gpcv/team.hpp"
#include "gpcv/trainer.hpp"

namespace gpcv {

/// Fold k is kept by rank k mod P; only what its keeper says of it travels.
class FoldTeam {
 public:
  /// team: null for a process that keeps all folds.
  explicit FoldTeam(std::shared_ptr<const Team> team = {}) : team_(shared(team.get()) ? std::move(team) : nullptr) {}

  bool shares() const { return team_ != nullptr; }
  int keeper(int fold) const { return team_ ? fold % team_->size() : 0; }
  bool keeps(int fold) const { return !team_ || keeper(fold) == team_->rank(); }

  /// work(k) for the own folds, at most `threads` at once; where one rank fails, all do.
  void each_fold(int folds, int threads, const std::function<void(int)>& work) const;

  /// What the fold's keeper has, on every rank.
  void tell(int fold, double& number) const;
  void tell(int fold, Vector& vector) const;
  void tell(int fold, Matrix& matrix) const;
  void tell(int fold, RunState& state) const;

 private:
  std::shared_ptr<const Team> team_;
};

/// Runs what may throw on some ranks and not on others: all of them throw, or none.
void together(const Team& team, const std::function<void()>& work);

}  // namespace gpcv
