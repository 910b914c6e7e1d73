#include "random_program.hpp"

#include "kernels/families/family.hpp"

namespace gpcv::simd {
namespace {

bool has_period(Op op) { return op == Op::lp || op == Op::periodic; }

}  // namespace

int ProgramBuilder::slot(double value, bool held) {
  program_.values.push_back(value);
  program_.theta.push_back(held ? -1 : program_.parameters++);
  return static_cast<int>(program_.values.size()) - 1;
}

int ProgramBuilder::leaf(Op op, const std::vector<int>& columns, const std::vector<int>& lengths, int variance,
                         int period, int shape) {
  Instruction i;
  i.op = op;
  i.first_column = static_cast<int>(program_.columns.size());
  i.column_count = static_cast<int>(columns.size());
  i.variance = variance;
  i.period = period;
  i.shape = shape;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    program_.columns.push_back(columns[c]);
    program_.lengths.push_back(lengths.size() == 1 ? lengths[0] : lengths[c]);
  }
  program_.code.push_back(i);
  return static_cast<int>(program_.code.size()) - 1;
}

int ProgramBuilder::combine(Op op, int left, int right) {
  Instruction i;
  i.op = op;
  i.left = left;
  i.right = right;
  program_.code.push_back(i);
  return static_cast<int>(program_.code.size()) - 1;
}

KernelProgram single_leaf(Op op, int inputs, bool ard) {
  ProgramBuilder b(inputs);
  const int variance = b.slot(1.3);
  std::vector<int> columns, lengths;
  for (int c = 0; c < inputs; ++c) {
    columns.push_back(c);
    if (ard || c == 0) lengths.push_back(b.slot(0.7 + 0.2 * c));
  }
  const int period = has_period(op) ? b.slot(0.9) : -1;
  const int shape = op == Op::rq ? b.slot(1.7) : -1;
  if (op == Op::constant) columns.clear();
  b.leaf(op, columns, lengths, variance, period, shape);
  return b.program();
}

KernelProgram se_plus_lp(int inputs) {
  ProgramBuilder b(inputs);
  std::vector<int> columns;
  for (int c = 0; c < inputs; ++c) columns.push_back(c);
  const int se = b.leaf(Op::se, columns, {b.slot(1.1)}, b.slot(0.8));
  const int length = b.slot(0.6), variance = b.slot(1.4);
  const int lp = b.leaf(Op::lp, columns, {length}, variance, b.slot(0.9));
  b.combine(Op::add, se, lp);
  return b.program();
}

KernelProgram random_program(int inputs, int leaves, std::mt19937& random) {
  ProgramBuilder b(inputs);
  const auto below = [&](std::size_t n) {
    return static_cast<std::size_t>(std::uniform_int_distribution<int>(0, static_cast<int>(n) - 1)(random));
  };
  const auto new_slot = [&] { return b.slot(std::uniform_real_distribution<double>(0.4, 1.8)(random), below(5) == 0); };
  std::vector<int> slots{new_slot()}, registers;
  const auto slot = [&] {
    if (below(4) != 0) slots.push_back(new_slot());
    return slots[below(4) == 0 ? below(slots.size()) : slots.size() - 1];
  };
  for (int k = 0; k < leaves; ++k) {
    const Op op = families()[below(families().size())]->op;
    std::vector<int> columns, lengths;
    for (int c = 0; c < inputs && op != Op::constant; ++c) {
      if (inputs > 1 && below(3) == 0) continue;
      columns.push_back(c);
      lengths.push_back(op == Op::linear && below(2) == 0 ? -1 : slot());
    }
    if (columns.empty() && op != Op::constant) {
      columns.push_back(0);
      lengths.push_back(slot());
    }
    registers.push_back(b.leaf(op, columns, lengths, slot(), has_period(op) ? slot() : -1, op == Op::rq ? slot() : -1));
    while (registers.size() > 1 && (below(2) == 0 || k + 1 == leaves)) {
      const int right = registers.back();
      registers.pop_back();
      const int left = registers.back();
      registers.back() = b.combine(below(2) == 0 ? Op::add : Op::multiply, left, right);
      // Now and then a register is used once more.
      if (below(6) == 0) registers.back() = b.combine(below(2) == 0 ? Op::add : Op::multiply, registers.back(), right);
      if (below(8) == 0) registers.back() = b.combine(Op::multiply, registers.back(), registers.back());
    }
  }
  return b.program();
}

Matrix random_points(Index n, Index d, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-2, 2);
  return Matrix::NullaryExpr(n, d, [&] { return uniform(random); });
}

Matrix random_columns(Index n, Index r, std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(n, r, [&] { return normal(random); });
}

}  // namespace gpcv::simd
