/// The rows that several targets have in common, and one target that stands for all of them.
#pragma once

#include <vector>

#include "gpcv/fit.hpp"

namespace gpcv {

struct CommonRows {
  Dataset leading;   ///< the rows that every target has; its y is the leading principal component of the targets
  Matrix targets;    ///< targets of these rows, standardised as the options say
  bool all = false;  ///< whether no target has other rows
};

/// The common rows, recognised by their places in the table. Throws InputError where they are too few to train on, or
/// their inputs differ.
CommonRows common_rows(const std::vector<Dataset>& targets, const FitOptions& options);

}  // namespace gpcv
