/// The choice of a kernel by cross-validation.
#pragma once

#include "gpcv/fit.hpp"

namespace gpcv {

/// Rows that candidates are trained on at most.
constexpr Index most_raced_rows = 1500;

/// The choice and the values at which training on all rows begins.
struct ChosenKernel {
  Kernel kernel;
  std::vector<Vector> starts;         ///< log θ of the standardised problem; empty if no candidate could be trained
  std::vector<RankedKernel> ranking;  ///< best first
  bool cut_short = false;             ///< a stop or the time limit ended the race before its last round
};

/// Trains the candidates of the options on at most 1500 rows, in rounds with ever more rows and steps and ever fewer
/// candidates, and ranks them by the losses of the held-out rows. On larger tables the last candidates are ranked by
/// rows that are each conditioned on their neighbours among all rows. Of the candidates within one standard error of
/// the best, the one with the fewest parameters is chosen.
ChosenKernel choose_kernel(const Dataset& data, const FitOptions& options);

/// The options with the chosen kernel.
FitOptions with_kernel(const ChosenKernel& chosen, const FitOptions& options);

/// Throws InputError where a choice was restricted to names that do not exist or that suit no input of the data.
void require_candidates(const Dataset& data, const FitOptions& options);

}  // namespace gpcv
