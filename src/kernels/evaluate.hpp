/// k(x, x') and its derivatives for one pair of points: the reference that every backend is compared with.
#pragma once

#include <span>
#include <vector>

#include "gpcv/kernel_program.hpp"
#include "kernels/families/family.hpp"

namespace gpcv {

/// An evaluator holds scratch space, so each thread needs its own. The program must outlive it.
class PairEvaluator {
 public:
  explicit PairEvaluator(const KernelProgram& program);

  /// k(x, x'); x and x' have d entries each.
  double value(const double* x, const double* x2);
  /// Returns k(x, x') and sets g_i = ∂k/∂log θ_i.
  double gradient(const double* x, const double* x2, std::span<double> g);

 private:
  /// Computes all registers and returns the last; leaf(step) is the value of a base kernel.
  template <class Leaf>
  double forward(const Leaf& leaf);
  LeafArguments arguments(std::size_t step, const double* x, const double* x2);

  const KernelProgram& program_;
  std::vector<const Family*> families_;  ///< by instruction; null for sums and products
  std::vector<double> registers_, adjoints_;
  std::vector<double> delta_, product_, length_, length_gradient_;  ///< by entry of program.columns
  std::vector<LeafGradient> gradients_;
};

}  // namespace gpcv
