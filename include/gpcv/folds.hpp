/// Folds of cross-validation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpcv/export.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Fold: disjoint sets of rows for training and validation, in ascending order.
struct Fold {
  std::vector<Index> training;    ///< rows that train
  std::vector<Index> validation;  ///< rows that are predicted
};

/// Set of folds: each trains on some rows and validates others.
struct GPCV_EXPORT Folds {
  Index rows = 0;                ///< number of rows
  std::vector<Fold> folds = {};  ///< the folds
  std::string description = {};  ///< description in words: "5 random folds, seed 1"

  /// Number of folds.
  Index size() const { return static_cast<Index>(folds.size()); }
  /// Number of validation rows of all folds.
  Index validated() const;
  /// Number of validation rows of the largest fold.
  Index largest_validation() const;
  /// One value per row, from values stacked by fold in the order of the validation rows. The value is NaN for rows that
  /// no fold validates, and that of the last fold where several do.
  Vector by_row(const Vector& stacked) const;
  /// Number of the fold that validates each row, from 0: −1 where none does, and the last one where several do.
  std::vector<Index> fold_of_row() const;
  /// Folds of a subset of the rows, given in ascending order; folds without training or validation rows are left out.
  Folds of_rows(const std::vector<Index>& rows) const;

  /// K random folds of (almost) equal size, 2 ≤ K ≤ rows.
  static Folds random(Index rows, Index k, std::uint64_t seed);
  /// K interleaved folds: fold i mod K validates row i.
  static Folds interleaved(Index rows, Index k);
  /// Hold-out split: one fold validates a random fraction, in (0, 1), of the rows and trains on the rest.
  static Folds holdout(Index rows, double fraction, std::uint64_t seed);
  /// K folds that keep all rows of a group together, with sizes as equal as that permits. There are fewer folds when
  /// there are fewer groups. `groups` holds one number per row.
  static Folds grouped(const std::vector<Index>& groups, Index k, std::uint64_t seed);
  /// One fold per label, which validates the rows with that label; rows labelled -1 only train.
  static Folds labelled(const std::vector<Index>& labels);
  /// K contiguous blocks of equal counts in the order of `order`; rows of equal value stay in one block.
  static Folds blocks(ConstVectorView order, Index k);
  /// K clusters of the standardised inputs x by k-means; each is predicted from the rows outside it.
  static Folds regions(ConstView x, Index k, std::uint64_t seed);
  /// Forward chaining: block b validates an interval of time and trains on all rows before it, so no prediction uses
  /// later rows. The rows may have any order; rows of equal time stay in one block.
  ///
  /// Without a width the rows in time order are divided into blocks + 1 pieces of (almost) equal counts, as by
  /// scikit-learn's TimeSeriesSplit, and block b validates piece b + 1. With a width, block b validates
  /// cut_b ≤ t < cut_b + width. The cuts are evenly spaced from t_min + (t_max − t_min)/(blocks + 1) to t_max − width,
  /// whose block includes t_max; a single block has the last cut. Rows outside every block only train.
  static Folds forward_chaining(ConstVectorView time, Index blocks, std::optional<double> width = std::nullopt);
};

}  // namespace gpcv
