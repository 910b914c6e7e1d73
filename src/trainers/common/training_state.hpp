/// The state from which a training resumes.
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

/// Throws InputError unless a state has the shape of the training that resumes from it.
inline void require_same_shape(bool same) {
  if (!same) throw InputError("the checkpoint is of another trainer or of other folds");
}

/// State of one trainer; files name the alternative by its `kind`.
using TrainerState = std::variant<GaussNewtonState, AdmmState, ConsensusState>;

struct TrainingState {
  TrainerState trainer;
  std::vector<Optimum> optima;           ///< optima of the starts that are no longer followed, in their order
  std::string remark;                    ///< remark on the end of the best of them
  std::vector<IterationRecord> history;  ///< iterations so far
  double seconds = 0;                    ///< training time so far

  /// State of the requesting trainer; throws InputError if another trainer wrote it.
  template <class State>
  const State& of() const {
    const State* state = std::get_if<State>(&trainer);
    require_same_shape(state != nullptr);
    return *state;
  }
};

}  // namespace gpcv
