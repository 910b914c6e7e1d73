/// What can be made ready while something else is computed.
#pragma once

#include <future>

#include "gpcv/compute.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Begins what products of so many rows will need first, in the background: the context of a device and its libraries
/// take 0.2 s. The future waits for it when it ends; what fails will fail again, and be told, where it is needed.
[[nodiscard]] std::future<void> prepare_products(const ComputeOptions& options, Index rows);

}  // namespace gpcv
