/// The training points that explain most of test points.
#pragma once

#include <vector>

#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Point i alone takes k(x*, x_i)²/(k_ii + σ²) off the prior variance at x*: its worth.
class NeighbourSearch {
 public:
  /// X outlives it.   x: n × d, standardised
  NeighbourSearch(const KernelProgram& program, const Matrix& x, double noise);

  /// Worth of each training point for one point, given its column of K(X, points).
  Vector worth(const Eigen::Ref<const Vector>& cross) const { return cross.array().square() * scale_.array(); }
  /// Worth of each training point for a group of training rows: the sum over some of them.
  Vector worth_for(const std::vector<Index>& rows) const;
  /// The `count` points of largest worth, in the order of the table. Of equals the first are taken.
  static std::vector<Index> best(const Vector& worth, Index count);

 private:
  const KernelProgram& program_;
  const Matrix& x_;
  Vector scale_;  ///< 1/(k_ii + σ²)
};

}  // namespace gpcv
