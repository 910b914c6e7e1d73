/// The order in which a tile evaluates a kernel program, which is the same for every tile and instruction set.
#pragma once

#include <vector>

#include "gpcv/kernel_program.hpp"

namespace gpcv::simd {

/// The operation by which a sweep updates its tile.
enum class Combine { set, add, multiply };

/// One sweep over a tile: tile ∘= leaf(x, x'), or tile ∘= other if leaf is -1.
struct ValueStep {
  int leaf = -1;  ///< instruction
  Combine how = Combine::set;
  int tile = 0;
  int other = -1;
};

/// The sweeps that compute K in tile 0.
struct ValuePlan {
  std::vector<ValueStep> steps;
  int tiles = 1;
};

/// The plan for a program: sums and products of leaves are accumulated in one tile, with a leaf last if possible.
ValuePlan plan_values(const KernelProgram& program);

/// One sweep of the derivative pass.
struct GradientStep {
  enum class Kind {
    leaf_value,     ///< tile = leaf; slope, shape: the leaf's other factors
    combine,        ///< tile = left ∘ right (how = add or multiply)
    accumulate,     ///< tile += left, or 1 if left is -1
    leaf_gradient,  ///< emits the derivatives of a leaf times the adjoint tile `left`, or 1 if left is -1
  };
  Kind kind = Kind::leaf_value;
  int leaf = -1;  ///< instruction
  Combine how = Combine::set;
  int tile = -1;
  int left = -1, right = -1;
  int slope = -1, shape = -1;  ///< further tiles of a leaf
};

/// The sweeps of the derivative pass: a forward sweep, then a reverse sweep from the adjoint of K to the derivatives of
/// the leaves.
struct GradientPlan {
  std::vector<GradientStep> steps;
  int tiles = 0;
  int seed = -1;  ///< tile of the adjoint of K; -1: the adjoint is 1
};

/// seeded: the adjoint of K is a tile (for contractions); otherwise it is 1 (for the columns ∂K v).
GradientPlan plan_gradients(const KernelProgram& program, bool seeded);

/// Whether any parameter of the leaf is trained.
bool has_free_parameter(const KernelProgram& program, const Instruction& leaf);

}  // namespace gpcv::simd
