/// Folds from the number of the fold that validates each row.
#pragma once

#include "gpcv/folds.hpp"

namespace gpcv {

/// Throws InputError unless 2 ≤ k ≤ rows.
void require_fold_count(Index rows, Index k);

/// Fold f of k validates the rows i with fold_of[i] = f and trains on the others.
std::vector<Fold> split_by_fold(const std::vector<Index>& fold_of, Index k);

}  // namespace gpcv
