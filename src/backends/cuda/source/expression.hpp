/// CUDA C++ text of k(a, b) and of its derivatives for one pair of points.
#pragma once

#include <string>
#include <vector>

#include "backends/cuda/source/layout.hpp"
#include "backends/cuda/source/specification.hpp"

namespace gpcv::cuda {

/// The text of the functions that depend on the expression. The points of a pair are `a` (RowPoint) and `b` (Item),
/// both with an array c; the weights are `p.weights`.
struct ExpressionText {
  int coordinates = 0;    ///< entries of c
  std::string load_row;   ///< statements that fill a.c from row point i
  std::string load_item;  ///< statements that fill b.c from column point i
  std::string value;      ///< statements that end with `return k/scale;`
  std::string scale;      ///< an expression: the factor of the value
  std::string gradient;   ///< statements that set or add to g[0 …]: ∂k/∂log θ times `seed`
};

ExpressionText write_expression(const KernelProgram& program, const ProgramLayout& layout,
                                const Specification& specification);

/// The number of entries of c.
int coordinates_of(const KernelProgram& program, const ProgramLayout& layout, const Specification& specification);

}  // namespace gpcv::cuda
