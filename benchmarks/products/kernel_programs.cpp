#include "kernel_programs.hpp"

#include <algorithm>
#include <random>

namespace gpcv {
namespace {

int add_slot(KernelProgram& program, double value) {
  program.values.push_back(value);
  program.theta.push_back(program.parameters++);
  return static_cast<int>(program.values.size()) - 1;
}

int add_leaf(KernelProgram& program, Op op, int d, double length, bool ard, int first = 0) {
  Instruction leaf;
  leaf.op = op;
  leaf.first_column = static_cast<int>(program.columns.size());
  leaf.column_count = op == Op::constant ? 0 : d;
  leaf.variance = add_slot(program, 1.1);
  int slot = -1;
  for (int c = 0; c < leaf.column_count; ++c) {
    if (c == 0 || ard) slot = add_slot(program, length * (1 + 0.1 * c));
    program.columns.push_back(first + c);
    program.lengths.push_back(slot);
  }
  if (op == Op::lp) leaf.period = add_slot(program, 0.07);
  program.code.push_back(leaf);
  program.inputs = std::max(program.inputs, first + d);
  return static_cast<int>(program.code.size()) - 1;
}

int add_combination(KernelProgram& program, Op op, int left, int right) {
  Instruction combination;
  combination.op = op;
  combination.left = left;
  combination.right = right;
  program.code.push_back(combination);
  return static_cast<int>(program.code.size()) - 1;
}

}  // namespace

KernelProgram se_program(int d) {
  KernelProgram program;
  add_leaf(program, Op::se, d, d == 1 ? 0.1 : 0.7, true);
  return program;
}

KernelProgram lp_program() {
  KernelProgram program;
  add_leaf(program, Op::lp, 1, 0.8, false);
  return program;
}

KernelProgram se_lp_program() {
  KernelProgram program;
  const int se = add_leaf(program, Op::se, 1, 0.1, false);
  add_combination(program, Op::add, se, add_leaf(program, Op::lp, 1, 0.8, false));
  return program;
}

KernelProgram matern52_program(int d) {
  KernelProgram program;
  add_leaf(program, Op::matern52, d, 0.7, true);
  return program;
}

KernelProgram se_as_expression(int d) {
  KernelProgram program;
  const int scale = add_leaf(program, Op::constant, d, 1, false);
  const int se = add_leaf(program, Op::se, d, d == 1 ? 0.1 : 0.7, true);
  add_combination(program, Op::multiply, se, scale);
  return program;
}

KernelProgram additive_program(int d) {
  KernelProgram program;
  int sum = add_leaf(program, Op::se, 1, 0.2, true);
  for (int c = 1; c < d; ++c) sum = add_combination(program, Op::add, sum, add_leaf(program, Op::se, 1, 0.2, true, c));
  return program;
}

KernelProgram two_scales_program(int d) {
  KernelProgram program;
  const int smooth = add_leaf(program, Op::se, d, 2, true);
  add_combination(program, Op::add, smooth, add_leaf(program, Op::se, d, 0.7, true));
  return program;
}

Matrix benchmark_points(Index n, Index d) {
  std::mt19937_64 random(1);
  return Matrix::NullaryExpr(n, d, [&] { return static_cast<double>(random() >> 11) * 0x1.0p-53; });
}

}  // namespace gpcv
