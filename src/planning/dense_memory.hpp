/// Refusing a factorisation that cannot fit, before it starts.
#pragma once

#include "gpcv/types.hpp"

namespace gpcv {

/// Throws InputError when `matrices` n × n matrices of double exceed the memory that is free.
void require_dense_memory(Index n, int matrices, const char* what);

}  // namespace gpcv
