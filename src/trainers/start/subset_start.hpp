/// Starts from the likelihood of a part of the rows, cheap at any n.
#pragma once

#include "gpcv/trainer.hpp"

namespace gpcv {

/// log θ of the distinct optima of the likelihood on `rows` random rows, best first; those that are hopeless next to
/// the best are left out. Never empty: the problem's own values when nothing could be trained.
std::vector<Vector> subset_starts(const Problem& problem, Index rows, const TrainOptions& options);

/// Rows of the subset so that its training takes no more than a fifth of `training_seconds`.
Index subset_rows(const Problem& problem, double training_seconds, const TrainOptions& options);

/// Some of the rows, at random, ascending: for one seed a smaller part is part of a larger one.
std::vector<Index> random_rows(Index rows, Index count, std::uint64_t seed);

/// The problem on some of its rows, with what is left of its folds.
Problem part_of(const Problem& problem, const std::vector<Index>& rows);

}  // namespace gpcv
