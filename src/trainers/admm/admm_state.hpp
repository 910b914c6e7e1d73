/// What the trainers admm and naive need to go on where they were.
#pragma once

#include <limits>
#include <vector>

#include "gpcv/solver.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// The iterate of ADMM on one hold-out split: θ, z, λ and what steers them.
struct HoldoutAdmmState {
  int sweeps = 0;
  Vector theta;           ///< log θ
  Vector z, multipliers;  ///< z and λ
  double rho = 0;         ///< the balanced penalty
  double damping = 0;     ///< of the Gauss–Newton θ-step
  double steering = 0;    ///< largest ‖(∂C/∂q_i) z‖ of the last Gauss–Newton step
  double last_worst = std::numeric_limits<double>::infinity();  ///< residual when ρ was last looked at

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
  }
};

/// One fold of the start under way.
struct FoldSweepsState {
  int fold = 0;
  Status status = Status::not_run;  ///< differs from not_run once the fold is over
  Vector start;                     ///< log θ that the prior is centred on
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

/// The folds of the start under way that have taken a step.
struct AdmmState {
  static constexpr const char* kind = "admm";

  std::vector<FoldSweepsState> folds;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor&& visit) {
    visit("run", self.folds);
  }
};

}  // namespace gpcv
