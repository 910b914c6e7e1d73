/// Split-conformal intervals: rows reserved before training determine the width of the intervals.
#pragma once

#include "gpcv/fit.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv {

struct SetAside {
  std::vector<Index> rows;  ///< rows of the training set, ascending
  Dataset training;
  Dataset aside;
};
/// Reserves rows at random; with folds by group whole groups, with folds in time the latest rows.
SetAside set_aside(const Dataset& data, const FoldOptions& folds, double fraction, std::uint64_t seed);

/// Scores |y − m|/std of the reserved rows, ascending.
Conformal conformal_scores(const Model& model, const Dataset& aside, const ComputeOptions& compute);

}  // namespace gpcv
