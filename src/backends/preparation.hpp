/// What can be made ready while something else is computed.
#pragma once

#include <future>

#include "gpcv/compute.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Does what prepare_device() does, and loads all that products of so many rows need first, such as the libraries of a
/// device.
[[nodiscard]] std::future<void> prepare_products(const ComputeOptions& options, Index rows);

}  // namespace gpcv
