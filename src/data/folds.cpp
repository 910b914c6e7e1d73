#include "gpcv/folds.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/random.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

void require_fold_count(Index rows, Index k) {
  if (k < 2) throw InputError(fmt::format("cross-validation needs at least 2 folds, {} asked for", k));
  if (k > rows) {
    throw InputError(fmt::format("{} folds need at least {} rows, the data have {}; ask for fewer folds", k, k, rows));
  }
}

/// Fold f validates the rows i with fold_of[i] = f and trains on the others.
std::vector<Fold> split(const std::vector<Index>& fold_of, Index k) {
  std::vector<Fold> folds(static_cast<std::size_t>(k));
  for (Index f = 0; f < k; ++f) {
    Fold& fold = folds[static_cast<std::size_t>(f)];
    for (std::size_t i = 0; i < fold_of.size(); ++i) {
      (fold_of[i] == f ? fold.validation : fold.training).push_back(static_cast<Index>(i));
    }
  }
  return folds;
}

}  // namespace

Folds Folds::random(Index rows, Index k, std::uint64_t seed) {
  require_fold_count(rows, k);
  std::vector<Index> fold_of(static_cast<std::size_t>(rows));
  Index dealt = 0;
  for (Index row : Random(seed).permutation(rows)) fold_of[static_cast<std::size_t>(row)] = dealt++ % k;
  return {rows, split(fold_of, k), fmt::format("{} random folds, seed {}", k, seed)};
}

Folds Folds::interleaved(Index rows, Index k) {
  require_fold_count(rows, k);
  std::vector<Index> fold_of(static_cast<std::size_t>(rows));
  for (Index row = 0; row < rows; ++row) fold_of[static_cast<std::size_t>(row)] = row % k;
  return {rows, split(fold_of, k), fmt::format("{} interleaved folds", k)};
}

Folds Folds::holdout(Index rows, double fraction, std::uint64_t seed) {
  if (!(fraction > 0 && fraction < 1)) {
    throw InputError(fmt::format("the holdout fraction must lie between 0 and 1, it is {}", fraction));
  }
  const auto validating = static_cast<Index>(std::llround(fraction * static_cast<double>(rows)));
  if (validating < 1 || validating >= rows) {
    throw InputError(fmt::format("a holdout of {} of {} rows leaves none to {}; choose another fraction", fraction,
                                 rows, validating < 1 ? "validate" : "train"));
  }
  // Fold 0 validates; what is marked 1 only trains.
  std::vector<Index> fold_of(static_cast<std::size_t>(rows));
  Index drawn = 0;
  for (Index row : Random(seed).permutation(rows)) fold_of[static_cast<std::size_t>(row)] = drawn++ >= validating;
  return {rows, split(fold_of, 1), fmt::format("holdout of {} of {} rows, seed {}", validating, rows, seed)};
}

}  // namespace gpcv
