/// The parts of the data that a training goes through: some of the rows, then some of the folds, then everything.
#pragma once

#include <cstdint>
#include <vector>

#include "gpcv/trainer.hpp"

namespace gpcv {

/// One part of the data.
struct Level {
  Index rows = 0;   ///< number of rows
  Index folds = 0;  ///< number of folds that are evaluated; 0: all of them

  friend bool operator==(const Level&, const Level&) = default;
};

/// Numbers of rows of nested subsets, smallest first; the last is the number of all rows.
std::vector<Index> nested_rows(Index rows, const TrainOptions& options);

/// Number of rows of the part of many rows on which a local start is trained before all: a quarter, or as many as take
/// little time; 0 where all rows are few.
Index part_rows(Index rows, const TrainOptions& options);

/// The number of folds that most steps of an iterative training evaluate: as few as validate `rows` rows and enough for
/// so many parameters; 0 for all of them, where fewer would save little or where folds differ.
Index sampled_folds(const Folds& folds, Index rows, Index parameters);

/// The folds of a sample, evenly spread over all.
Folds some_of(const Folds& folds, Index count);

/// The levels of a training, smallest first; the last has all rows and all folds. `local`: its start has seen the
/// density of all rows, so that it begins with one part of them and not with nested subsets. `sampled`: its products
/// are iterated, so that a step on some of the folds is cheaper.
std::vector<Level> training_levels(const Problem& problem, const TrainOptions& options, bool local, bool sampled);

}  // namespace gpcv
