/// Errors of rows as a scale mixture of normal distributions.
#pragma once

#include <limits>

#include "gpcv/types.hpp"

namespace gpcv {

/// Held-out errors with the variances of their two parts: that of the function and that of the noise of a trusted row,
/// up to a common factor. Rows without an error have NaN.
struct SplitErrors {
  Vector error, function, noise;

  /// f_i + g_i
  Vector variance() const { return function + noise; }
};

/// Distribution of errors: given its precision λ_i an error is normal with the variance a (f_i + g_i/λ_i). λ_i = 1 for
/// a share 1 − ε of the rows; for the others λ_i ~ Gamma(ν/2, ν/2), with which the noise has Student's t distribution
/// of ν degrees of freedom.   docs/math/robust.md
struct ScaleMixture {
  double factor = 1;                                         ///< a
  double share = 0;                                          ///< ε; 0 for normal errors
  double degrees = std::numeric_limits<double>::infinity();  ///< ν
  double width = 1;                                          ///< κ

  bool is_normal() const { return share == 0; }
  /// The precision E[λ_i | e_i] that each row is expected to have, at most 1; 1 where there is no error.
  Vector precisions(const SplitErrors& errors) const;
};

/// The a, ε, ν and κ of largest likelihood; ε = 0 where normal errors are as likely.
ScaleMixture scale_mixture(const SplitErrors& errors);

}  // namespace gpcv
