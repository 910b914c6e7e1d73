/// Folds that one inverse serves.
#pragma once

#include <algorithm>

#include "gpcv/folds.hpp"

namespace gpcv {

/// Whether there are several folds, and each trains on exactly the rows that it does not validate.
inline bool are_complete(const Folds& folds) {
  return folds.size() > 1 && std::all_of(folds.folds.begin(), folds.folds.end(), [&](const Fold& fold) {
           return static_cast<Index>(fold.training.size() + fold.validation.size()) == folds.rows;
         });
}

}  // namespace gpcv
