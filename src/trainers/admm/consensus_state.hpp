/// The state from which the trainer consensus resumes.
#pragma once

#include <limits>
#include <vector>

#include "trainers/admm/admm_state.hpp"

namespace gpcv {

/// One fold's copy of θ.
struct LocalCopyState {
  Vector theta;           ///< log θ_k
  Matrix weights;         ///< weights z of all rows that the next solve starts from, one column; empty with ADMM
  HoldoutAdmmState admm;  ///< default-constructed if the copy takes Gauss–Newton steps

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor&& visit) {
    visit("theta", self.theta);
    visit("weights", self.weights);
    visit("admm", self.admm);
  }
};

/// θ̄, the duals and the local copies of the current start.
struct ConsensusState {
  static constexpr const char* kind = "consensus";

  Status status = Status::not_run;  ///< not_run until the start has ended
  int rounds = 0;
  Vector start;  ///< log θ on which the prior is centred
  double prior_weight = 0;
  Vector centre;                      ///< log θ̄
  Matrix duals;                       ///< w_k, one column per fold
  Matrix curvature;                   ///< shape of the penalty: mean 2 JᵀJ of the folds, or the identity
  double scale = 1, least_scale = 1;  ///< factor of the penalty, and its lower limit in balancing
  double largest = 0;                 ///< largest residual since the last check
  double previous_largest = std::numeric_limits<double>::infinity();  ///< the same at the last check
  double primal = 0, dual = 0, gradient = 0;                          ///< residuals of the last round
  std::vector<LocalCopyState> copies;                                 ///< one per fold; empty before the first round

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor&& visit) {
    visit("status", self.status);
    visit("rounds", self.rounds);
    visit("start", self.start);
    visit("prior_weight", self.prior_weight);
    visit("centre", self.centre);
    visit("duals", self.duals);
    visit("curvature", self.curvature);
    visit("scale", self.scale);
    visit("least_scale", self.least_scale);
    visit("largest", self.largest);
    visit("previous_largest", self.previous_largest);
    visit("primal", self.primal);
    visit("dual", self.dual);
    visit("gradient", self.gradient);
    visit("run", self.copies);
  }
};

}  // namespace gpcv
