/// Importance of the inputs of a model: what its held-out predictions lose without them.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "gpcv/types.hpp"

namespace gpcv {

/// Importance of one input.
struct InputImportance {
  std::string name;     ///< name of the column; all indicators of a category are one input
  double increase = 0;  ///< increase of the root mean square error without the input
  /// Standard error of `increase`; NaN where the rows are too dependent to tell.
  double standard_error = std::numeric_limits<double>::quiet_NaN();

  /// Whether the increase exceeds two standard errors.
  bool is_significant() const { return increase > 2 * standard_error; }
};

/// Importance of all inputs by held-out loss. Fold k predicts the row i that it held out by K(x_i, X) z_k. Without
/// input j it predicts it with the value of another row π(i) in place of x_ij, a value that tells nothing of the row:
///   increase_j = √(mean_i mean_π (y_i − K(x_i with x_π(i)j, X) z_k)²) − √(mean_i (y_i − K(x_i, X) z_k)²).
/// The parameters and the weights z_k of the folds stay as they are. Where the error is nested, the folds are the outer
/// ones, each with the parameters of its own training. Errors are in units of the transformed target.
struct Importance {
  Index rows = 0;                       ///< number of held-out rows that were predicted, a sample of many
  double rmse = 0;                      ///< root mean square error of these rows
  std::vector<InputImportance> inputs;  ///< most important first

  /// Whether the importance is not known.
  bool empty() const { return inputs.empty(); }
};

}  // namespace gpcv
