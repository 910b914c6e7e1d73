/// Trainings on the same folds, ranked by their cross-validation error.
#pragma once

#include <string>
#include <vector>

#include "gpcv/fit.hpp"

namespace gpcv {

struct Contender {
  std::string kernel;   ///< as given
  FitResult result;     ///< not run when there is a failure
  std::string failure;  ///< why it could not be trained; empty when it was
};

struct Ranked {
  Contender contender;
  double rmse = 0, rmse_error = 0;      ///< cross-validated, target's units, with its standard error
  double behind = 0, behind_error = 0;  ///< mean squared error above the best's, in units of the best's
  double nlpd = 0;
  double seconds = 0;
};

struct Comparison {
  std::vector<Ranked> ranked;  ///< best first
  std::vector<Contender> failed;

  /// Whether there is anything to rank, and every training came to its end.
  bool complete() const;
};

Comparison compare(std::vector<Contender> contenders);
std::string comparison_text(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);

}  // namespace gpcv
