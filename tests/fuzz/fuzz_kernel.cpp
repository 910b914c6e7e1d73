/// Any text is a kernel or a KernelSyntaxError, and a kernel's text gives the same kernel again.
#include "fuzz/fuzz.hpp"
#include "gpcv/error.hpp"
#include "gpcv/kernel.hpp"

namespace gpcv {
namespace {

using fuzz::require;

void require_same(const Kernel& a, const Kernel& b) {
  require(a == b, "a kernel prints as it was read");
  require(a.inputs() == b.inputs() && a.parameters().size() == b.parameters().size(), "parameters come back");
  for (std::size_t i = 0; i < a.parameters().size(); ++i) {
    const Parameter &p = a.parameters()[i], &q = b.parameters()[i];
    require(p.name == q.name && p.label == q.label && p.role == q.role && p.columns == q.columns, "names come back");
    require(p.value == q.value && p.bounds == q.bounds, "values come back");
    require(p.fixed == q.fixed, "held parameters come back held");
  }
}

void require_valid(const KernelProgram& program) {
  require(!program.code.empty(), "a kernel has code");
  const auto slots = static_cast<int>(program.values.size());
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const Instruction& step = program.code[i];
    if (!program.is_leaf(step)) {
      const auto here = static_cast<int>(i);
      require(step.left >= 0 && step.left < here && step.right >= 0 && step.right < here, "operands come first");
      continue;
    }
    require(step.variance >= 0 && step.variance < slots && step.period < slots && step.shape < slots,
            "slots are there");
    for (int c = step.first_column; c < step.first_column + step.column_count; ++c) {
      const auto at = static_cast<std::size_t>(c);
      require(program.columns.at(at) < program.inputs && program.lengths.at(at) < slots, "columns are there");
    }
  }
}

void check(const Kernel& kernel, Index d) try {
  const Kernel bound = kernel.bind(d);
  require_same(bound, Kernel::parse(bound.to_string()).bind(d));
  require_valid(bound.lower());
} catch (const KernelSyntaxError&) {
  throw;
} catch (const InputError&) {
  // The kernel names columns that d inputs do not have.
}

}  // namespace
}  // namespace gpcv

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpcv;
  const std::string_view text = fuzz::text_of(data, size);
  Kernel kernel;
  try {
    kernel = Kernel::parse(text);
  } catch (const KernelSyntaxError& error) {
    require(error.position() <= text.size(), "the caret stands within the text");
    return 0;
  }
  require_same(kernel, Kernel::parse(kernel.to_string()));
  kernel.to_string(4);
  for (Index d : {1, 2, 3, 8}) check(kernel, d);
  return 0;
}
