/// The distribution of a target y of which T(y) is normal or has Student's t distribution; docs/math/transforms.md.
#pragma once

#include <vector>

#include "gpcv/target_transform.hpp"

namespace gpcv {

/// Probability beyond which either tail of Student's t is cut off: values further out count as the quantile there.
/// Moments of the mapped distribution, which may not exist otherwise, are those with both tails cut.
constexpr double cut_tail = 1e-3;

/// Moments and scores of y, given mean c and standard deviation s of T(y). For a normal T(y) they are those of the
/// whole distribution, for Student's t those with tails cut at `cut_tail`.
class TransformedDistribution {
 public:
  TransformedDistribution(const TargetTransform& transform, double degrees);

  struct Moments {
    double mean = 0, variance = 0;
  };
  /// E y and Var y.
  Moments moments(double centre, double deviation) const;
  /// −log p(y) with p(y) = f((T(y) − c)/s) T'(y)/s, f the density of T(y) in units of s. The probability of y = 0 under
  /// sqrt, where all T(y) ≤ 0 are, stands in place of a density. ∞ outside of the domain of T.
  double negative_log_density(double centre, double deviation, double y) const;
  /// E|Y − y| − ½ E|Y − Y'|
  double crps(double centre, double deviation, double y) const;

 private:
  /// Density of T(y) in units of s at u.
  double density(double u) const;
  /// E max(0, y − Y), where u = (T(y) − c)/s.
  double shortfall(double centre, double deviation, double y, double u) const;

  TargetTransform transform_;
  double degrees_;
  double density_constant_;              ///< −log density at 0
  double reach_;                         ///< largest |u| of the quadrature
  double atom_;                          ///< probability of either end
  std::vector<double> nodes_, weights_;  ///< quadrature over u, the ends with their atoms
  std::vector<double> ranks_;            ///< weights times 2F(u) − 1
};

}  // namespace gpcv
