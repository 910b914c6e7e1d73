/// The process of the noise that fits held-out residuals: its inputs, its scales and its values.
#pragma once

#include <functional>

#include "fit/noise_regression.hpp"

namespace gpcv {

/// Search of the process.
struct NoiseSearch {
  /// Gain in log evidence that an input must bring. More is asked for where the noise may stay constant.
  double worth_an_input = 1;
  std::function<bool()> stop = {};  ///< asked now and then; true ends the search with what is known
};

/// Logarithms of the noise variances that were found.
struct FoundNoise {
  NoiseProcess process;  ///< constant where no input is worth it
  Vector at_rows;  ///< log variance at the rows, for rows of part k ≥ 0 estimated without the residuals of part k
};

/// Finds the inputs on which the noise depends, one after the other, by the evidence; then the logarithms at the rows.
///   part: of each row with a residual, the part of the residuals that belongs to it; −1 for rows without a residual
FoundNoise find_noise(const NoiseRows& rows, const std::vector<int>& part, const NoiseSearch& search);

}  // namespace gpcv
