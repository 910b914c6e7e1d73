/// The distribution of an error in units of its standard deviation: normal, or Student's t with ν degrees of freedom,
/// scaled to the variance 1. Infinite degrees stand for the normal distribution.
#pragma once

namespace gpcv {

/// P(Z ≤ z)
double probability_below(double z, double degrees);

/// −log of the density at z.
double standard_negative_log_density(double z, double degrees);

/// Continuous ranked probability score ∫ (P(Z ≤ t) − 1{t ≥ z})² dt.
double standard_crps(double z, double degrees);

/// z with P(Z ≤ z) = probability, for probabilities of at most ½, of which the smallest keep all their digits.
double standard_quantile(double probability, double degrees);

}  // namespace gpcv
