/// The memory budget, which is resolved once and then passed on in ComputeOptions::memory.
#pragma once

#include "gpcv/compute.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// The options with a memory budget: the given one, otherwise the default. Code that takes several decisions resolves
/// the budget first, because the free memory changes with every allocation.
ComputeOptions with_budget(ComputeOptions compute);

/// Throws InputError when `matrices` n × n matrices of double exceed the free memory.
void require_dense_memory(Index n, int matrices, const char* what);

}  // namespace gpcv
