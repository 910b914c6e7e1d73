/// The folds' predictions of each of several targets that share θ.
#pragma once

#include <memory>
#include <vector>

#include "evaluation/fold_evaluator.hpp"

namespace gpcv {

/// The predictions of every target by itself, from those of folds that are listed once per target: each fold for all
/// targets in turn. The variances of all targets are computed once.   folds: of one target
std::vector<std::shared_ptr<FoldPredictions>> predictions_of_targets(std::shared_ptr<FoldPredictions> all,
                                                                     const Folds& folds, Index targets);

}  // namespace gpcv
