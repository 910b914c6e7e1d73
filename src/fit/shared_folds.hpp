/// Folds that several targets of one table share.
#pragma once

#include <optional>
#include <vector>

#include "gpcv/fit.hpp"

namespace gpcv {

/// Options of the folds of each target. A row that several targets have is in the same fold for all: where the targets
/// do not have the same rows, the folds are made once, of the rows that any of them has, and each target gets its part.
/// The rows are recognised by their places in the table.
std::vector<std::optional<FoldOptions>> shared_folds(const std::vector<Dataset>& targets, const FitOptions& options);

}  // namespace gpcv
