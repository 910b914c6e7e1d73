/// The registry of the backends, which are chosen by name at run time.
#pragma once

#include <memory>

#include "operators/backend_operator.hpp"

namespace gpcv {

/// make_operator() for internal callers, which also use the hints of BackendOperator.
std::unique_ptr<BackendOperator> make_backend(const KernelProgram& program, ConstView x1, ConstView x2,
                                              const ComputeOptions& options);
std::unique_ptr<BackendOperator> make_backend(const KernelProgram& program, ConstView x, const ComputeOptions& options);

}  // namespace gpcv
