/// Start values from the likelihood of a subset of the rows, which is cheap at any n.
#pragma once

#include "gpcv/trainer.hpp"

namespace gpcv {

/// log θ of the distinct optima of the likelihood on `rows` random rows, best first, without those that are much worse
/// than the best. The result is never empty: it holds the problem's own values if no start could be trained.
std::vector<Vector> subset_starts(const Problem& problem, Index rows, const TrainOptions& options);

/// Candidates for start values: the problem's own, shorter length scales with equal or less noise, and random values.
/// For rapidly varying functions, all starts near the scale of the data would end at an optimum that explains the data
/// as noise.
std::vector<Vector> candidate_starts(const Problem& problem, const Problem& part, const TrainOptions& options);

/// The problem on `rows` random rows, whose values count as given.
Problem start_part(const Problem& problem, Index rows, std::uint64_t seed);

/// Distinct optima of the likelihood of a part of the rows, reached from these values, best first.
std::vector<Optimum> likelihood_optima(const Problem& part, const std::vector<Vector>& from,
                                       const TrainOptions& options);

/// Number of rows of the subset, at least a minimum, such that its training takes at most a fifth of
/// `training_seconds` where possible.
Index subset_rows(const Problem& problem, double training_seconds, const TrainOptions& options);

/// Random rows in ascending order; for equal seeds, a smaller subset is contained in a larger one.
std::vector<Index> random_rows(Index rows, Index count, std::uint64_t seed);

/// The problem restricted to some of its rows, with its folds restricted likewise.
Problem part_of(const Problem& problem, const std::vector<Index>& rows);

}  // namespace gpcv
