/// The order in which a tile visits a kernel program: decided once, the same for every tile and instruction set.
#pragma once

#include <vector>

#include "gpcv/kernel_program.hpp"

namespace gpcv::simd {

/// How a sweep writes its tile.
enum class Combine { set, add, multiply };

/// One sweep over a tile: tile ∘= leaf(x, x'), or tile ∘= other when leaf is -1.
struct ValueStep {
  int leaf = -1;  ///< instruction
  Combine how = Combine::set;
  int tile = 0;
  int other = -1;
};

/// K in tile 0.
struct ValuePlan {
  std::vector<ValueStep> steps;
  int tiles = 1;
};

/// Sums and products of leaves are accumulated in one tile, a leaf last where possible.
ValuePlan plan_values(const KernelProgram& program);

/// One sweep of the derivative pass.
struct GradientStep {
  enum class Kind {
    leaf_value,     ///< tile = leaf; slope, curve: the leaf's other factors
    combine,        ///< tile = left ∘ right (how = add or multiply)
    accumulate,     ///< tile += left, or 1 when left is -1
    leaf_gradient,  ///< emits the derivatives of a leaf times the adjoint tile `left`, or 1 when left is -1
  };
  Kind kind = Kind::leaf_value;
  int leaf = -1;  ///< instruction
  Combine how = Combine::set;
  int tile = -1;
  int left = -1, right = -1;
  int slope = -1, shape = -1;  ///< further tiles of a leaf
};

/// Forward sweep, then reverse sweep: adjoint of the result in, derivatives of the leaves out.
struct GradientPlan {
  std::vector<GradientStep> steps;
  int tiles = 0;
  int seed = -1;  ///< tile of the adjoint of K; -1: it is 1
};

/// seeded: the adjoint of K is a tile (contractions); otherwise it is 1 (columns ∂K v).
GradientPlan plan_gradients(const KernelProgram& program, bool seeded);

/// Whether any parameter of the leaf is trained.
bool has_free_parameter(const KernelProgram& program, const Instruction& leaf);

}  // namespace gpcv::simd
