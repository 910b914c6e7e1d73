/// The error of a training, assessed by trainings that repeat it.
#pragma once

#include "fit/fit_plan.hpp"

namespace gpcv {

/// Whether the error is assessed by outer folds: as the options say, or for Assess::automatic where the whole fit then
/// takes an estimated 20 s at most; five outer folds take less than five times the fit itself. The estimate is that of
/// a common processor and depends on the table alone, so that a table gives the same numbers everywhere; only a time
/// limit that the `seconds` so far would exceed five times over counts the real time. Folds that were given row by row,
/// and hold-out splits, cannot be made again of a part of the rows.   parameters: of the trained kernel
bool assesses_nested(const FitOptions& options, const Dataset& data, Index parameters, double seconds);

/// Seconds of all outer trainings in units of the fit itself: part of the rows squared, for each.
double outer_work(const FitOptions& options, const Dataset& data);

/// Repeats the training, the choice of the kernel included, in at most five outer folds of the kind that the options
/// ask for, and predicts the rows that each has not seen. Error, coverage and calibration of the model become those of
/// these rows. Returns why they could not, or an empty text.
std::string assess_nested(Model& model, const Dataset& data, const FitOptions& options, double seconds_so_far,
                          Folds& outer);

}  // namespace gpcv
