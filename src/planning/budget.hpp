/// The memory budget: resolved once, carried in ComputeOptions::memory from then on.
#pragma once

#include "gpcv/compute.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// The same options with a budget: the one given, otherwise the default. Whatever takes several decisions resolves the
/// budget first, because what is free changes with every allocation.
ComputeOptions with_budget(ComputeOptions compute);

/// Throws InputError when `matrices` n × n matrices of double exceed the memory that is free.
void require_dense_memory(Index n, int matrices, const char* what);

}  // namespace gpcv
