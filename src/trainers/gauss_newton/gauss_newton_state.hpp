/// The state from which the trainer gauss-newton resumes.
#pragma once

#include <vector>

#include "gpcv/solver.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// One start of the descent, as far as it has come.
struct DescentState {
  int restart = 0;
  int iteration = 0;
  Status status = Status::not_run;  ///< differs from not_run once the descent is over
  Vector start;                     ///< log θ that the prior is centred on
  Vector theta;                     ///< log θ
  double objective = 0;
  Vector errors;  ///< objective after each round, of starts that are followed one after the other; else empty
  double damping = 0;
  double gained = 1;        ///< part of the objective that the last step took off
  double prior_weight = 0;  ///< weight of the prior on this part of the data; 0: not set yet
  double accuracy = 0;      ///< accuracy of the solves; 0: not set yet
  Vector deviations;        ///< of the held-out predictions that the loss uses, stacked by fold; empty for squares
  Matrix weights;           ///< z of every fold, to start the next solve from; may be empty
  Matrix sensitivities;     ///< C⁻¹(∂C)z of every fold and parameter, likewise
  /// JᵀWJ of the loss per validated row, as found on a sample of the folds, with which steps need the gradient alone;
  /// empty where steps find their own.
  Matrix curvature;
  Matrix slope_products;  ///< Jᵀ diag(g²) J per validated row, likewise, for the standard errors

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor&& visit) {
    visit("restart", self.restart);
    visit("iteration", self.iteration);
    visit("status", self.status);
    visit("start", self.start);
    visit("theta", self.theta);
    visit("objective", self.objective);
    visit("errors", self.errors);
    visit("damping", self.damping);
    visit("gained", self.gained);
    visit("prior_weight", self.prior_weight);
    visit("accuracy", self.accuracy);
    visit("deviations", self.deviations);
    visit("weights", self.weights);
    visit("sensitivities", self.sensitivities);
    visit("curvature", self.curvature);
    visit("slope_products", self.slope_products);
  }
};

/// All starts that are still followed, on one of the parts of the data.
struct GaussNewtonState {
  static constexpr const char* kind = "gauss-newton";

  int level = 0;             ///< number of the part of the data
  int sampled_folds = 0;     ///< number of folds of the part that is a sample of the folds; 0: no part is
  int rounds = 0;            ///< steps that the starts have taken side by side
  int first_iterations = 0;  ///< iterations that the first point of the first start took, which limits the later ones
  int criterion_rounds = 0;  ///< how often the deviations of the criterion were computed
  double held_variance = 1;  ///< value of the variance that is held in place of the free scale
  std::vector<DescentState> runs;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor&& visit) {
    visit("level", self.level);
    visit("sampled_folds", self.sampled_folds);
    visit("rounds", self.rounds);
    visit("first_iterations", self.first_iterations);
    visit("criterion_rounds", self.criterion_rounds);
    visit("held_variance", self.held_variance);
    visit("run", self.runs);
  }
};

}  // namespace gpcv
