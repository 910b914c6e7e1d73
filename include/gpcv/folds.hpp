/// Which rows train and which validate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpcv/export.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Row numbers, ascending, disjoint.
struct Fold {
  std::vector<Index> training;
  std::vector<Index> validation;
};

/// Folds of cross-validation: each trains on some rows and validates others.
struct GPCV_EXPORT Folds {
  Index rows = 0;
  std::vector<Fold> folds = {};
  std::string description = {};  ///< "5 random folds, seed 1"

  Index size() const { return static_cast<Index>(folds.size()); }
  /// Rows validated, over all folds.
  Index validated() const;
  /// Validation rows of the fold that has most.
  Index largest_validation() const;
  /// One value per row from values stacked by fold in the order of their validation rows; NaN for rows no fold
  /// validates, the last fold's where several do.
  Vector by_row(const Vector& stacked) const;
  /// The folds of some of the rows, `rows` ascending; folds that have lost all rows of a kind are left out.
  Folds of_rows(const std::vector<Index>& rows) const;

  /// K folds of (almost) equal size, rows dealt at random. 2 ≤ K ≤ rows.
  static Folds random(Index rows, Index k, std::uint64_t seed);
  /// Row i validates in fold i mod K.
  static Folds interleaved(Index rows, Index k);
  /// One fold: a random fraction (0, 1) of the rows validates, the rest trains.
  static Folds holdout(Index rows, double fraction, std::uint64_t seed);
  /// K folds that never part rows of one group, of sizes as equal as that allows. Fewer when there are fewer groups.
  /// `groups`: one number per row.
  static Folds grouped(const std::vector<Index>& groups, Index k, std::uint64_t seed);
  /// One fold per label, which validates the rows that have it; rows labelled -1 only train.
  static Folds labelled(const std::vector<Index>& labels);
  /// K contiguous stretches of equal count in the order of `order`; rows of equal value are never parted.
  static Folds blocks(ConstVectorView order, Index k);
  /// K regions of the inputs, by k-means: each is predicted from outside it. x: standardised.
  static Folds regions(ConstView x, Index k, std::uint64_t seed);
  /// Forward-chaining: block b validates a stretch of time and trains on everything before it, so no prediction sees
  /// the future. Rows may stand in any order; rows of equal time are never parted.
  ///
  /// Without a width the rows in time order are cut into blocks + 1 pieces of (almost) equal count, as scikit-learn's
  /// TimeSeriesSplit does, and piece b + 1 validates in block b. With one, block b validates cut_b ≤ t < cut_b + width:
  /// cuts evenly spaced from t_min + (t_max − t_min)/(blocks + 1) to t_max − width, whose block includes t_max; a
  /// single block has the last cut. Rows outside every block only train.
  static Folds forward_chaining(ConstVectorView time, Index blocks, std::optional<double> width = std::nullopt);
};

}  // namespace gpcv
