#include "data/folds/fold_split.hpp"

#include <fmt/format.h>

#include "gpcv/error.hpp"

namespace gpcv {

void require_fold_count(Index rows, Index k) {
  if (k < 2) throw InputError(fmt::format("cross-validation needs at least 2 folds, {} asked for", k));
  if (k > rows) {
    throw InputError(fmt::format("{} folds need at least {} rows, the data have {}; ask for fewer folds", k, k, rows));
  }
}

std::vector<Fold> split_by_fold(const std::vector<Index>& fold_of, Index k) {
  std::vector<Fold> folds(static_cast<std::size_t>(k));
  for (Index f = 0; f < k; ++f) {
    Fold& fold = folds[static_cast<std::size_t>(f)];
    for (std::size_t i = 0; i < fold_of.size(); ++i) {
      (fold_of[i] == f ? fold.validation : fold.training).push_back(static_cast<Index>(i));
    }
  }
  return folds;
}

}  // namespace gpcv
