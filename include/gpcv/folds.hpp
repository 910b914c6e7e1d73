/// Which rows train and which validate.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpcv/types.hpp"

namespace gpcv {

/// Row numbers, ascending, disjoint.
struct Fold {
  std::vector<Index> training;
  std::vector<Index> validation;
};

struct Folds {
  Index rows = 0;
  std::vector<Fold> folds;
  std::string description;  ///< "5 random folds, seed 1"

  Index size() const { return static_cast<Index>(folds.size()); }

  /// K folds of (almost) equal size, rows dealt at random. 2 ≤ K ≤ rows.
  static Folds random(Index rows, Index k, std::uint64_t seed);
  /// Row i validates in fold i mod K.
  static Folds interleaved(Index rows, Index k);
  /// One fold: a random fraction (0, 1) of the rows validates, the rest trains.
  static Folds holdout(Index rows, double fraction, std::uint64_t seed);
};

}  // namespace gpcv
