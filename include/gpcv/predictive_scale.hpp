/// Distribution of the errors of predictions.
#pragma once

#include <limits>

#include "gpcv/export.hpp"

namespace gpcv {

/// Distribution of the error of a prediction, given the variance v that the Gaussian process states, noise included:
/// Student's t with ν degrees of freedom, location 0 and the variance
///   V(v) = ν/(ν − 2) (a min(v, w) + b) + c (v − w) for w < v ≤ m, and beyond m the rest of v as it is.
/// a, b and ν come from held-out rows, nearly all of which have variances below w, and c from the few between w and m.
/// No row had more than m: errors near the data say nothing about rows further away, so that the part of v beyond m
/// counts as the kernel states it.
struct GPCV_EXPORT PredictiveScale {
  double factor = 1;                                         ///< a
  double added = 0;                                          ///< b, in standardised units
  double degrees = std::numeric_limits<double>::infinity();  ///< ν > 2; infinite for a normal distribution
  double usual = std::numeric_limits<double>::infinity();    ///< w
  double rare = 1;                                           ///< c
  double largest = std::numeric_limits<double>::infinity();  ///< m
  /// ν of the held-out errors; `degrees` is less where few of them are independent, which leaves the scale uncertain.
  double observed_degrees = std::numeric_limits<double>::infinity();

  /// Whether errors are normal with the variance that the Gaussian process states.
  bool is_identity() const;
  /// V(v)
  double variance(double v) const;
  /// The part ν/(ν − 2) (a σ² + b) of V that belongs to an observation with the noise variance σ².
  double noise(double variance) const;
  /// The noise variance that the held-out errors show: noise() with their own ν.
  double observed_noise(double variance) const;
};

}  // namespace gpcv
