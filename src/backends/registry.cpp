/// Which backend computes: chosen by name at run time.
#include <fmt/format.h>

#include "backends/reference/reference_operator.hpp"
#include "gpcv/error.hpp"
#include "gpcv/operator.hpp"
#include "operators/points.hpp"

namespace gpcv {

std::vector<std::string> compiled_backends() { return {"reference"}; }

std::string resolve_backend(std::string_view name) {
  const std::vector<std::string> compiled = compiled_backends();
  if (name == "auto") return compiled.front();
  for (const std::string& backend : compiled) {
    if (backend == name) return backend;
  }
  throw NotCompiled(fmt::format("backend '{}' is not part of this build; it has: {}", name, fmt::join(compiled, ", ")));
}

std::unique_ptr<KernelOperator> make_operator(const KernelProgram& program, ConstView x1, ConstView x2,
                                              const OperatorOptions& options) {
  require_usable(program, x1);
  require_usable(program, x2);
  const std::string backend = resolve_backend(options.backend);
  if (options.precision != Precision::double_) {
    throw NotCompiled(
        fmt::format("the {} backend computes in double only, not in {}", backend, name_of(options.precision)));
  }
  return std::make_unique<ReferenceOperator>(program, x1, x2, options.threads);
}

std::unique_ptr<KernelOperator> make_operator(const KernelProgram& program, ConstView x,
                                              const OperatorOptions& options) {
  return make_operator(program, x, x, options);
}

}  // namespace gpcv
