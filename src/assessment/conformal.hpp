/// Split-conformal intervals: rows set aside before training tell how wide an interval must be.
#pragma once

#include "gpcv/fit.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv {

struct SetAside {
  std::vector<Index> rows;  ///< that train, ascending
  Dataset training;
  Dataset aside;
};
/// Rows at random; with folds by group whole groups, with folds in time the latest rows.
SetAside set_aside(const Dataset& data, const FoldOptions& folds, double fraction, std::uint64_t seed);

/// |y − m|/std of the rows set aside, ascending.
Conformal conformal_scores(const Model& model, const Dataset& aside, const ComputeOptions& compute);

}  // namespace gpcv
