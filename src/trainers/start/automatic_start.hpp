/// Start values that are chosen by the error of the folds.
#pragma once

#include "gpcv/trainer.hpp"

namespace gpcv {

/// log θ of the starts to follow, the smallest held-out error first; never empty.
///
/// Candidates are the values at the scale of the data, shorter length scales, random values and those of the relevance
/// screening. They are followed by the likelihood of `rows` rows, and where that does not lead to the smallest held-out
/// error, as with groups or later times to predict, by the error of the folds itself. As long as nothing is better than
/// the mean of the target, `insist` tries more random values.
std::vector<Vector> automatic_starts(const Problem& problem, Index rows, const TrainOptions& options,
                                     bool insist = true);

}  // namespace gpcv
