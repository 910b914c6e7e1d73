/// Folds spread over the ranks of a communicator.
#pragma once

#include <functional>
#include <memory>
#include <type_traits>

#include "core/fields.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Rank k mod P of P owns fold k; only what a fold's owner knows of it travels.
class FoldGroups {
 public:
  /// communicator: null for a process that owns all folds.
  explicit FoldGroups(std::shared_ptr<const Communicator> communicator = {})
      : communicator_(shared(communicator.get()) ? std::move(communicator) : nullptr) {}

  int owner(int fold) const { return communicator_ ? fold % communicator_->size() : 0; }
  bool owns(int fold) const { return !communicator_ || owner(fold) == communicator_->rank(); }

  /// work(k) for the own folds, at most `threads` at once; where one rank fails, all do.
  void each_fold(int folds, int threads, const std::function<void(int)>& work) const;

  /// Gives every rank the value of the fold's owner.
  template <class Number>
  requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
  void broadcast(int fold, Number& number) const {
    if (communicator_) communicator_->broadcast_values(owner(fold), &number, 1);
  }
  void broadcast(int fold, Vector& vector) const;
  void broadcast(int fold, Matrix& matrix) const;
  template <HasFields State>
  void broadcast(int fold, State& state) const {
    if (!communicator_) return;
    State::visit_fields(state, [&](const char*, auto& field) { broadcast(fold, field); });
  }

 private:
  std::shared_ptr<const Communicator> communicator_;
};

/// Runs what may throw on some ranks and not on others: all of them throw, or none.
void together(const Communicator& communicator, const std::function<void()>& work);

}  // namespace gpcv
