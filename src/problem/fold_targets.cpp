#include "problem/fold_targets.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "data/folds/repeated_folds.hpp"

namespace gpcv {
namespace {

/// Each fold so many times in succession.
Folds repeated(const Folds& folds, Index times) {
  Folds out{folds.rows, {}, folds.description};
  for (const Fold& fold : folds.folds) out.folds.insert(out.folds.end(), static_cast<std::size_t>(times), fold);
  return out;
}

/// Σ_j s_j y_j / √m of the targets j ≡ c mod columns for each column c: the targets in turn where they are no more than
/// the columns.
Matrix mixed(Index targets, Index columns, std::uint64_t seed) {
  Matrix mixture = Matrix::Zero(targets, columns);
  if (targets <= columns) {
    for (Index c = 0; c < columns; ++c) mixture(c % targets, c) = 1;
    return mixture;
  }
  Random random(seed);
  for (Index j = 0; j < targets; ++j) mixture(j, j % columns) = random.uniform() < 0.5 ? -1 : 1;
  for (Index c = 0; c < columns; ++c) mixture.col(c) /= mixture.col(c).norm();
  return mixture;
}

}  // namespace

Problem over_some_targets(const Problem& problem, Index each, std::uint64_t seed) {
  const Index targets = problem.targets.cols();
  Problem out = problem;
  if (targets == 0) return out;
  out.folds = repeated(problem.folds, std::clamp<Index>(each, 1, targets));
  out.fold_targets = mixed(targets, out.folds.size(), seed);
  return out;
}

Problem over_all_targets(const Problem& problem) { return over_some_targets(problem, problem.targets.cols(), 0); }

bool covers_all_targets(const Problem& problem) {
  if (problem.targets.cols() == 0) return true;
  Index listed = 0;
  for (std::size_t k = 0; k < problem.folds.folds.size(); ++k) listed += repeats(problem.folds, k) ? 0 : 1;
  return problem.fold_targets.cols() == listed * problem.targets.cols();
}

}  // namespace gpcv
