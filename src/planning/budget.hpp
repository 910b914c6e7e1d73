/// The memory budget: read as people write it, resolved once, carried in ComputeOptions::memory from then on.
#pragma once

#include <cstddef>
#include <string>

#include "gpcv/compute.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Reads "2G", "512M", "1.5GiB" or plain bytes; throws InputError.
std::size_t parse_memory(const std::string& text);

/// The default budget is 80 % of what is free now.
std::size_t default_memory_budget();

/// The same options with a budget: the one given, otherwise the default. Whatever takes several decisions resolves the
/// budget first, because what is free changes with every allocation.
ComputeOptions with_budget(ComputeOptions compute);

/// Throws InputError when `matrices` n × n matrices of double exceed the memory that is free.
void require_dense_memory(Index n, int matrices, const char* what);

}  // namespace gpcv
