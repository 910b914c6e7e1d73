/// All that a training needs to go on where it was.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "gpcv/error.hpp"
#include "gpcv/trainer.hpp"
#include "trainers/admm/admm_state.hpp"
#include "trainers/admm/consensus_state.hpp"
#include "trainers/gauss_newton/gauss_newton_state.hpp"

namespace gpcv {

/// Throws InputError unless a state has the shape of the training that goes on from it.
inline void require_same_shape(bool same) {
  if (!same) throw InputError("the checkpoint is of another trainer or of other folds");
}

/// Each trainer's own state; files name the alternative by its `kind`.
using TrainerState = std::variant<GaussNewtonState, AdmmState, ConsensusState>;

struct TrainingState {
  TrainerState trainer;
  std::vector<Optimum> optima;           ///< ends of the starts that are no longer followed, in their order
  std::string remark;                    ///< on how the best of them ended
  std::vector<IterationRecord> history;  ///< so far
  double seconds = 0;                    ///< spent so far

  /// The state of the trainer that asks; throws InputError where another trainer wrote it.
  template <class State>
  const State& of() const {
    const State* state = std::get_if<State>(&trainer);
    require_same_shape(state != nullptr);
    return *state;
  }
};

}  // namespace gpcv
