/// The constants of Gauss–Newton, each with the reason for its value.
#pragma once

#include <algorithm>
#include <cmath>

#include "gpcv/types.hpp"

namespace gpcv {

/// Constants of one descent. Decreases are relative to the value of the objective.
struct DescentSettings {
  /// Accuracy of the residuals, relative to their norm: at the start, where any descent direction does, and the finest
  /// that the usual tolerance asks for.
  double first_accuracy = 0.03, finest_usual_accuracy = 1e-4;
  /// Largest change of a log θ_i in one step: the model is local, and a factor of e is far.
  double longest_step = 1;
  /// Part of the promised decrease that an accepted step reaches. A step that gains nothing would be accepted or not by
  /// its last bit, and with it the parameters that the data hardly determine.
  double least_gain = 0.01;
  /// Growth of the prior's weight with p/n: it doubles at ten rows per parameter.
  double prior_growth = 10;
  /// Damped steps that are tried from one point.
  int most_tries = 8;
  /// Residual of the sensitivities while each step gains more than `much`: any descent direction does. Near the optimum
  /// r is almost orthogonal to J, and the errors of J must stay below what is left.
  double coarse_residual = 0.1, much = 0.01;
  /// Steps at most by Broyden's secants before J is solved for again, and the part of a promise that a step has to gain
  /// for another one. On 36 000 rows of kin40k sensitivities take nine tenths of a step.
  int most_secants = 6;
  /// Number of validated rows from which secants serve. Fewer have cheap sensitivities, and a descent on 120 rows ended
  /// at a step by secants that rough values refused.
  double fewest_secant_rows = 2000;
  double kept_promise = 0.3;
  /// A step that promised at most so many tolerances is the last: computing the next promise costs as much as the step.
  double last_step = 5;
  /// A last gain of fewer than so many tolerances, after which the sensitivities need only so many times the residual.
  double late_gain = 20, late_factor = 1.5;
  /// A promised decrease below this, which no step reaches, is smaller than the errors of the solves.
  double lost_in_noise = 1e-3;
  /// Residual of the adjoint of steps whose curvature is known: like that of the sensitivities near the optimum, where
  /// the gradient is small beside the terms that cancel in it.
  double chord_residual = 0.01;
  /// Accuracy and adjoint residual of L-BFGS, which takes curvatures from differences of gradients.
  double lbfgs_accuracy = 1e-3, adjoint_residual = 1e-4;

  /// Accuracy for a step that promises this relative decrease. The rest of an iterative solve is as good as random and
  /// enters the value squared. The rest of a good initial guess that needed no iteration is not random: it enters in
  /// proportion, and a descent to 1e-10 that relied on the square alone followed such errors for twenty steps.
  static double wanted_accuracy(double promise) { return std::min(0.3 * std::sqrt(promise), 30 * promise); }
};

/// Constants of several starts that are followed side by side.
struct MultiStartSettings {
  /// Iterations that every start may take for its first point, and how many times those of the first start. A start
  /// that is much harder to evaluate, mostly one without noise, would take longer than all the others together.
  int fair_iterations = 100, fair_factor = 5;
  /// Above so many rows, where a step takes long, the winner is decided after so many rounds.
  Index few_rows = 1000;
  int rounds_of_many_rows = 3;
  /// Above so many rows, where a step takes minutes, the first points decide.
  Index dear_rows = 20000;

  /// Factor by which the error of a run may exceed the best after so many rounds.
  static double allowed_lag(int rounds) { return 1 + 1.0 / (1 << std::min(rounds, 6)); }
};

/// Constants of training on nested parts of the rows.
struct NestedSettings {
  /// Steps on a part of the rows, and the tolerance there: the next part has another optimum.
  int steps_on_part = 12;
  double part_tolerance = 1e-3;
  /// Tolerance on a sample of the folds, whose optimum differs from that of all. With 1e-3, one of four small tables
  /// ended on a plateau with an error 14 % above that of steps with all folds.
  double sample_tolerance = 3e-4;
  /// Residual of the sensitivities after a part has brought θ near the optimum.
  double sensitivity_residual = 0.04;
  /// Rows from which starts are refined by the local score. Below, a subset has the density of all rows or nearly so.
  Index local_from = 5000;
  /// Factor by which the mean squared error of rows that are predicted from neighbours may exceed that of the local
  /// start, which minimises it, where a part of the rows has improved the error of its folds.
  double local_excess = 1.25;
  /// Rounds in which a criterion computes the deviations of held-out predictions again, and the largest change of a
  /// log θ_i in a round after which another round would change nothing.
  int criterion_rounds = 3;
  double settled = 0.01;
  /// Neighbours on which a held-out row is conditioned for its deviation; the calibration makes up for the rest.
  Index criterion_neighbours = 64;
  /// Folds that are listed at most where several targets share θ, each fold once per target: with 25 folds of nine
  /// parameters the derivatives take a fraction of a factorisation of 4000 rows.
  Index most_listed_folds = 100;
  /// Steps that a level usually takes, for the estimate of the time that is left.
  double usual_steps = 6;
};

}  // namespace gpcv
