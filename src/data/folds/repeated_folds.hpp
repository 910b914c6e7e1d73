/// Folds that are listed once per target.
#pragma once

#include "gpcv/folds.hpp"

namespace gpcv {

/// Whether a fold has the rows of the one before it.
inline bool repeats(const Folds& folds, std::size_t k) {
  return k > 0 && folds.folds[k].validation == folds.folds[k - 1].validation &&
         folds.folds[k].training == folds.folds[k - 1].training;
}

}  // namespace gpcv
