/// Kernels trained on the same folds, ranked by their cross-validation error.
#pragma once

#include <string>
#include <vector>

#include "gpcv/export.hpp"
#include "gpcv/fit.hpp"

namespace gpcv {

/// A kernel and what came of its training.
struct Contender {
  std::string kernel;   ///< as given
  FitResult result;     ///< not run when there is a failure
  std::string failure;  ///< why it could not be trained; empty when it was
};

/// A kernel that was trained, and how good it is.
struct Ranked {
  Contender contender;
  double rmse = 0, rmse_error = 0;      ///< cross-validated, target's units, with its standard error
  double behind = 0, behind_error = 0;  ///< mean squared error above the best's, in units of the best's
  double nlpd = 0;
  double seconds = 0;
};

/// The kernels that were trained, best first, and those that could not be.
struct GPCV_EXPORT Comparison {
  std::vector<Ranked> ranked;  ///< best first
  std::vector<Contender> failed;

  /// Whether there is anything to rank, and every training came to its end.
  bool complete() const;
};

/// Ranks trainings by the mean squared error of their held-out rows, with standard errors of the differences row by
/// row.
GPCV_EXPORT Comparison compare(std::vector<Contender> contenders);

}  // namespace gpcv
