/// Folds spread over the ranks of a communicator.
#pragma once

#include <functional>
#include <memory>

#include "gpcv/communicator.hpp"
#include "gpcv/trainer.hpp"

namespace gpcv {

/// Fold k is kept by rank k mod P; only what its owner says of it travels.
class FoldGroups {
 public:
  /// communicator: null for a process that keeps all folds.
  explicit FoldGroups(std::shared_ptr<const Communicator> communicator = {})
      : communicator_(shared(communicator.get()) ? std::move(communicator) : nullptr) {}

  bool shares() const { return communicator_ != nullptr; }
  int owner(int fold) const { return communicator_ ? fold % communicator_->size() : 0; }
  bool keeps(int fold) const { return !communicator_ || owner(fold) == communicator_->rank(); }

  /// work(k) for the own folds, at most `threads` at once; where one rank fails, all do.
  void each_fold(int folds, int threads, const std::function<void(int)>& work) const;

  /// What the fold's owner has, on every rank.
  void tell(int fold, double& number) const;
  void tell(int fold, Vector& vector) const;
  void tell(int fold, Matrix& matrix) const;
  void tell(int fold, RunState& state) const;

 private:
  std::shared_ptr<const Communicator> communicator_;
};

/// Runs what may throw on some ranks and not on others: all of them throw, or none.
void together(const Communicator& communicator, const std::function<void()>& work);

}  // namespace gpcv
