/// The Kernel class: parameter values, sums and products, lowering to a program.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numeric>

#include "gpcv/error.hpp"
#include "gpcv/kernel.hpp"
#include "kernels/builder.hpp"

namespace gpcv {

Kernel operator+(const Kernel& a, const Kernel& b) { return KernelBuilder::sum(std::array{a, b}); }
Kernel operator*(const Kernel& a, const Kernel& b) { return KernelBuilder::product(std::array{a, b}); }

Kernel Kernel::bind(Index d) const { return KernelBuilder::bind(*this, d); }

Kernel Kernel::resolved(const Columns& columns) const { return KernelBuilder::resolve(*this, columns); }

Kernel Kernel::widened(Index inputs) const {
  if (inputs_ == 0 || inputs < inputs_) throw InputError("a kernel can only be widened after it was bound");
  Kernel out = *this;
  for (Leaf& leaf : out.leaves_) {
    if (!leaf.on.empty() || leaf.op == Op::constant || inputs == inputs_) continue;
    leaf.on.resize(static_cast<std::size_t>(inputs_));
    std::iota(leaf.on.begin(), leaf.on.end(), Index{0});
  }
  out.inputs_ = inputs;
  return out;
}

std::vector<Kernel> Kernel::summands() const {
  const Node& root = nodes_.back();
  std::vector<Kernel> out;
  const auto append = [&](const Kernel& kernel) {
    for (Kernel& part : kernel.summands()) out.push_back(std::move(part));
  };
  if (root.kind == Node::Kind::sum) {
    for (const int child : root.children) {
      Kernel part = *this;
      part.nodes_.resize(static_cast<std::size_t>(child) + 1);
      append(part);
    }
    return out;
  }
  for (std::size_t f = 0; f < root.children.size(); ++f) {
    const Node& factor = nodes_[static_cast<std::size_t>(root.children[f])];
    if (factor.kind != Node::Kind::sum) continue;
    // (a + b) c = a c + b c
    for (const int term : factor.children) {
      Kernel part = *this;
      part.nodes_.back().children[f] = term;
      append(part);
    }
    return out;
  }
  return {*this};
}

std::vector<Parameter> Kernel::free_parameters() const {
  std::vector<Parameter> free;
  for (const Parameter& p : parameters_) {
    if (!p.fixed) free.push_back(p);
  }
  return free;
}

Vector Kernel::theta() const {
  const std::vector<Parameter> free = free_parameters();
  Vector theta(static_cast<Index>(free.size()));
  for (std::size_t i = 0; i < free.size(); ++i) theta(static_cast<Index>(i)) = free[i].value;
  return theta;
}

Kernel Kernel::with(std::span<const double> theta) const {
  Kernel out = *this;
  std::size_t next = 0;
  for (Parameter& p : out.parameters_) {
    if (p.fixed) continue;
    if (next >= theta.size()) throw InputError(fmt::format("θ has {} values, the kernel has more", theta.size()));
    const double value = theta[next++];
    if (!(value > 0) || !std::isfinite(value)) {
      throw InputError(fmt::format("kernel parameter {} must be positive and finite, not {}", p.name, value));
    }
    p.value = value;
    p.given = true;
  }
  if (next != theta.size()) throw InputError(fmt::format("θ has {} values, the kernel has {}", theta.size(), next));
  return out;
}

Kernel Kernel::with_parameters(std::vector<Parameter> parameters) const {
  if (parameters.size() != parameters_.size())
    throw InputError("with_parameters needs as many parameters as the kernel has");
  Kernel out = *this;
  out.parameters_ = std::move(parameters);
  return out;
}

KernelProgram Kernel::lower() const {
  if (inputs_ == 0) throw InputError("a kernel must be bound to a number of input columns before it is lowered");
  KernelProgram program;
  program.inputs = static_cast<int>(inputs_);
  for (const Parameter& p : parameters_) {
    program.values.push_back(p.value);
    program.theta.push_back(p.fixed ? -1 : program.parameters++);
  }

  // Each node becomes one instruction, or a chain of two-operand instructions.
  auto emit = [&](const Instruction& instruction) {
    program.code.push_back(instruction);
    return static_cast<int>(program.code.size()) - 1;
  };
  auto lower_node = [&](auto&& self, int index) -> int {
    const Node& node = nodes_[static_cast<std::size_t>(index)];
    if (node.kind != Node::Kind::leaf) {
      int left = self(self, node.children[0]);
      for (std::size_t i = 1; i < node.children.size(); ++i) {
        const int right = self(self, node.children[i]);
        Instruction combine;
        combine.op = node.kind == Node::Kind::sum ? Op::add : Op::multiply;
        combine.left = left;
        combine.right = right;
        left = emit(combine);
      }
      return left;
    }
    const Leaf& leaf = leaves_[static_cast<std::size_t>(node.leaf)];
    Instruction instruction;
    instruction.op = leaf.op;
    instruction.first_column = static_cast<int>(program.columns.size());
    instruction.column_count = static_cast<int>(leaf.on.empty() ? inputs_ : static_cast<Index>(leaf.on.size()));
    for (int c = 0; c < instruction.column_count; ++c) {
      const auto position = static_cast<std::size_t>(c);
      program.columns.push_back(leaf.on.empty() ? c : static_cast<int>(leaf.on[position]));
      program.lengths.push_back(leaf.lengths.empty() ? -1 : leaf.lengths[leaf.lengths.size() > 1 ? position : 0]);
    }
    instruction.variance = leaf.variance;
    instruction.period = leaf.period;
    instruction.shape = leaf.shape;
    return emit(instruction);
  };
  lower_node(lower_node, static_cast<int>(nodes_.size()) - 1);
  return program;
}

}  // namespace gpcv
