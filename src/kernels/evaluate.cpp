#include "kernels/evaluate.hpp"

#include <algorithm>

namespace gpcv {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

PairEvaluator::PairEvaluator(const KernelProgram& program)
    : program_(program),
      families_(program.code.size(), nullptr),
      registers_(program.code.size()),
      adjoints_(program.code.size()),
      delta_(program.columns.size()),
      product_(program.columns.size()),
      length_(program.columns.size(), 1.0),
      length_gradient_(program.columns.size()),
      gradients_(program.code.size()) {
  for (std::size_t step = 0; step < program.code.size(); ++step) {
    const Instruction& code = program.code[step];
    if (!program.is_leaf(code)) continue;
    families_[step] = &family_of(code.op);
    gradients_[step].length = length_gradient_.data() + code.first_column;
  }
  for (std::size_t c = 0; c < program.lengths.size(); ++c) {
    if (program.lengths[c] >= 0) length_[c] = program.values[index(program.lengths[c])];
  }
}

LeafArguments PairEvaluator::arguments(std::size_t step, const double* x, const double* x2) {
  const Instruction& code = program_.code[step];
  const int first = code.first_column;
  for (int c = first; c < first + code.column_count; ++c) {
    const int column = program_.columns[index(c)];
    delta_[index(c)] = x[column] - x2[column];
    product_[index(c)] = x[column] * x2[column];
  }
  LeafArguments a;
  a.columns = code.column_count;
  a.delta = delta_.data() + first;
  a.product = product_.data() + first;
  a.length = length_.data() + first;
  a.variance = program_.values[index(code.variance)];
  if (code.period >= 0) a.period = program_.values[index(code.period)];
  if (code.shape >= 0) a.shape = program_.values[index(code.shape)];
  return a;
}

template <class Leaf>
double PairEvaluator::forward(const Leaf& leaf) {
  for (std::size_t step = 0; step < program_.code.size(); ++step) {
    const Instruction& code = program_.code[step];
    if (code.op == Op::add) {
      registers_[step] = registers_[index(code.left)] + registers_[index(code.right)];
    } else if (code.op == Op::multiply) {
      registers_[step] = registers_[index(code.left)] * registers_[index(code.right)];
    } else {
      registers_[step] = leaf(step);
    }
  }
  return registers_.back();
}

double PairEvaluator::value(const double* x, const double* x2) {
  return forward([&](std::size_t step) { return families_[step]->value(arguments(step, x, x2)); });
}

double PairEvaluator::gradient(const double* x, const double* x2, std::span<double> g) {
  const std::size_t steps = program_.code.size();
  forward([&](std::size_t step) { return families_[step]->gradient(arguments(step, x, x2), gradients_[step]); });

  // The reverse sweep computes the adjoint ∂k/∂register of every register.
  std::fill(adjoints_.begin(), adjoints_.end(), 0.0);
  std::fill(g.begin(), g.end(), 0.0);
  adjoints_.back() = 1;
  auto accumulate = [&](int slot, double value) {
    const int i = slot >= 0 ? program_.theta[index(slot)] : -1;
    if (i >= 0) g[index(i)] += value;
  };
  for (std::size_t step = steps; step-- > 0;) {
    const Instruction& code = program_.code[step];
    const double adjoint = adjoints_[step];
    if (code.op == Op::add) {
      adjoints_[index(code.left)] += adjoint;
      adjoints_[index(code.right)] += adjoint;
    } else if (code.op == Op::multiply) {
      adjoints_[index(code.left)] += adjoint * registers_[index(code.right)];
      adjoints_[index(code.right)] += adjoint * registers_[index(code.left)];
    } else {
      const LeafGradient& leaf = gradients_[step];
      accumulate(code.variance, adjoint * leaf.variance);
      accumulate(code.period, adjoint * leaf.period);
      accumulate(code.shape, adjoint * leaf.shape);
      for (int c = 0; c < code.column_count; ++c) {
        accumulate(program_.lengths[index(code.first_column + c)], adjoint * leaf.length[c]);
      }
    }
  }
  return registers_.back();
}

}  // namespace gpcv
