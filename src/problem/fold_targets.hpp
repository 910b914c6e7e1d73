/// Targets that share θ, and the folds that are trained on them.
#pragma once

#include "gpcv/trainer.hpp"

namespace gpcv {

/// The targets of a problem, one per column.
inline ConstView all_targets(const Problem& problem) {
  return problem.targets.size() > 0 ? ConstView(problem.targets) : ConstView(problem.y);
}

/// The targets that the folds combine, one per column: y where they combine none.
inline ConstView targets_of_folds(const Problem& problem) {
  return problem.fold_targets.size() > 0 ? ConstView(problem.targets) : ConstView(problem.y);
}

/// The problem with every fold listed once per target: the folds' losses are those of all targets.
Problem over_all_targets(const Problem& problem);

/// The problem with every fold listed `each` times, for that many of the targets in turn. Where the targets outnumber
/// the listed folds, fold k has a combination Σ_j s_j y_j / √m of m of them with random signs s: its squared errors are
/// on average the mean of theirs, so that no target is left out.
Problem over_some_targets(const Problem& problem, Index each, std::uint64_t seed);

/// Whether every fold is listed for every target, in the order of over_all_targets().
bool covers_all_targets(const Problem& problem);

}  // namespace gpcv
