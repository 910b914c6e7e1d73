/// The state from which the trainers admm and naive resume.
#pragma once

#include <limits>
#include <vector>

#include "gpcv/solver.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// The iterate of ADMM on one hold-out split: θ, z, λ and the parameters of the step control.
struct HoldoutAdmmState {
  int sweeps = 0;
  Vector theta;           ///< log θ
  Vector z, multipliers;  ///< z and λ
  double rho = 0;         ///< the balanced penalty
  double damping = 0;     ///< damping of the Gauss–Newton θ-step
  double steering = 0;    ///< largest ‖(∂C/∂q_i) z‖ of the last Gauss–Newton step
  double last_worst = std::numeric_limits<double>::infinity();  ///< largest residual at the last check of ρ
  int limited_sweeps = 0;                                       ///< sweeps whose θ-step the limit of steps ended
  Vector adam_first, adam_second;                               ///< moments of Adam
  int adam_steps = 0;                                           ///< steps of Adam so far

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor&& visit) {
    visit("sweeps", self.sweeps);
    visit("theta", self.theta);
    visit("z", self.z);
    visit("multipliers", self.multipliers);
    visit("rho", self.rho);
    visit("damping", self.damping);
    visit("steering", self.steering);
    visit("last_worst", self.last_worst);
    visit("limited_sweeps", self.limited_sweeps);
    visit("adam_first", self.adam_first);
    visit("adam_second", self.adam_second);
    visit("adam_steps", self.adam_steps);
  }
};

/// State of one fold of the current start.
struct FoldSweepsState {
  int fold = 0;
  Status status = Status::not_run;  ///< not_run until the fold has ended
  Vector start;                     ///< log θ on which the prior is centred
  double prior_weight = 0;
  HoldoutAdmmState admm;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor&& visit) {
    visit("fold", self.fold);
    visit("status", self.status);
    visit("start", self.start);
    visit("prior_weight", self.prior_weight);
    visit("admm", self.admm);
  }
};

/// States of those folds of the current start that have taken a step.
struct AdmmState {
  static constexpr const char* kind = "admm";

  std::vector<FoldSweepsState> folds;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor&& visit) {
    visit("run", self.folds);
  }
};

}  // namespace gpcv
