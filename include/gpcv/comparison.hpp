/// Comparison of kernels by their cross-validation error.
#pragma once

#include <string>
#include <vector>

#include "gpcv/export.hpp"
#include "gpcv/fit.hpp"

namespace gpcv {

/// Kernel and the result of its training.
struct Contender {
  std::string kernel;   ///< text of the kernel, as given
  FitResult result;     ///< result of the training; Status::not_run when it failed
  std::string failure;  ///< reason of the failure; empty when the kernel was trained
};

/// Trained kernel with its scores.
struct Ranked {
  Contender contender;      ///< kernel and result
  double rmse = 0;          ///< cross-validation error in the target's units
  double rmse_error = 0;    ///< standard error of `rmse`
  double loss = 0;          ///< mean loss of held-out rows by the criterion
  double behind = 0;        ///< excess of the loss over the best, relative to the best unless the criterion is `log`
  double behind_error = 0;  ///< standard error of `behind`
  double nlpd = 0;          ///< mean negative log predictive density of held-out rows
  double seconds = 0;       ///< time of the training
};

/// Ranking of the trained kernels, and the kernels whose training failed.
struct GPCV_EXPORT Comparison {
  Criterion criterion = Criterion::squared;  ///< loss by which the kernels are ranked
  std::vector<Ranked> ranked;                ///< trained kernels, best first
  std::vector<Contender> failed;             ///< kernels whose training failed

  /// Whether at least one kernel was trained, none failed and all trainings converged.
  bool complete() const;
};

/// Ranks trainings by the loss of their held-out rows. The differences have paired standard errors. Where a row has no
/// variance, the criteria other than the squared error leave it out.
GPCV_EXPORT Comparison compare(std::vector<Contender> contenders, Criterion criterion = Criterion::squared);

}  // namespace gpcv
