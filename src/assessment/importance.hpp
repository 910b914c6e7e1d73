/// Importance of the inputs by the held-out loss of folds.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "evaluation/fold_evaluator.hpp"
#include "gpcv/effects.hpp"
#include "gpcv/importance.hpp"

namespace gpcv {

/// The rows that are predicted with the values of others, and the errors of these predictions. A large table is cut to
/// a sample of the held-out rows, drawn with the seed, so that no more pairs of points are computed than in one product
/// with the matrix, or few.
class ImportanceMeasurement {
 public:
  ImportanceMeasurement(const Folds& folds, std::vector<Input> inputs, std::uint64_t seed);

  /// Whether there are rows to exchange values.
  bool is_possible() const { return others_ > 0; }
  /// Errors, in the target's units, of predictions at these points of the targets of these rows.
  using Errors = std::function<Vector(const Matrix& points, const std::vector<Index>& rows)>;

  /// Whether a row of the sample is in the fold.
  bool samples(Index fold) const { return range(fold).first < range(fold).second; }
  /// Takes the errors of a fold.   x: the inputs of all rows, in any units
  void measure(Index fold, ConstView x, const Errors& errors_of);

  /// The importance, once the errors of all folds were taken.   cluster: of each row the number of the cluster whose
  /// errors are dependent; empty: no two are
  Importance result(const std::vector<Index>& cluster) const;

 private:
  /// A row that a fold holds out.
  struct HeldRow {
    Index fold = 0, row = 0;
  };

  Index size() const { return static_cast<Index>(held_.size()); }
  const HeldRow& held(Index i) const { return held_[static_cast<std::size_t>(i)]; }
  Index other(Index i, Index step) const;
  std::pair<Index, Index> range(Index fold) const;
  /// A fold is predicted in parts, of which only some are in memory: part 0 are its sampled rows, and part j these rows
  /// without input j − 1, once for every other row that lends its value.
  std::size_t parts() const { return inputs_.size() + 1; }
  /// The rows that a part of a fold predicts, one per point.
  std::vector<Index> rows(Index fold, std::size_t part) const;
  /// The points of a part.
  Matrix points(Index fold, std::size_t part, ConstView x) const;
  void add(Index fold, std::size_t part, const Vector& errors);
  InputImportance importance_of(std::size_t input, const std::vector<Index>& cluster) const;

  std::vector<Input> inputs_;
  std::vector<HeldRow> held_;  ///< the sample, ordered by fold
  /// Around a random circle of the sample, the next `others_` rows of each lend it their values.
  std::vector<std::int64_t> circle_, place_;  ///< row at each place, and place of each row
  Index others_ = 0;
  Vector with_;                  ///< squared errors with all inputs
  std::vector<Matrix> without_;  ///< squared errors without each input: sample × others
};

/// Importance for the folds of a training at its parameters, without refits. It is empty when the evaluator has no
/// weights. Throws Interrupted when the computation is to stop.   problem: at the evaluator's accepted point;
/// to_target: of each row the factor from the problem's residuals to the target's units
Importance importance_of_folds(const Problem& problem, FoldPredictions& evaluator, const Vector& to_target,
                               ImportanceMeasurement measurement, const std::vector<Index>& cluster,
                               const ComputeOptions& compute);

}  // namespace gpcv
