#include "problem/linear_lengths.hpp"

#include "gpcv/kernel_program.hpp"

namespace gpcv {
namespace {

/// Registers of the summands of the last register.
std::vector<int> summands_of(const KernelProgram& program) {
  std::vector<int> open{static_cast<int>(program.code.size()) - 1}, found;
  while (!open.empty()) {
    const int at = open.back();
    const Instruction& part = program.code[static_cast<std::size_t>(at)];
    open.pop_back();
    if (part.op == Op::add) {
      open.insert(open.end(), {part.left, part.right});
    } else {
      found.push_back(at);
    }
  }
  return found;
}

}  // namespace

std::vector<bool> linear_lengths(const Kernel& kernel, bool summands) {
  const auto parameters = kernel.parameters();
  const KernelProgram program = kernel.lower();
  std::vector<int> parts;
  if (summands) {
    parts = summands_of(program);
  } else {
    for (std::size_t i = 0; i < program.code.size(); ++i) parts.push_back(static_cast<int>(i));
  }
  std::vector<bool> found(parameters.size(), false);
  for (const int at : parts) {
    const Instruction& part = program.code[static_cast<std::size_t>(at)];
    if (part.op != Op::linear) continue;
    if (summands && !parameters[static_cast<std::size_t>(part.variance)].fixed) continue;
    for (int c = part.first_column; c < part.first_column + part.column_count; ++c) {
      const int slot = program.lengths[static_cast<std::size_t>(c)];
      if (slot < 0) continue;
      const Parameter& length = parameters[static_cast<std::size_t>(slot)];
      // A label may tie it to the length of another kernel.
      found[static_cast<std::size_t>(slot)] = !length.fixed && length.label.empty();
    }
  }
  return found;
}

}  // namespace gpcv
