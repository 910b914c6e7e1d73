/// Preparation of the backends while other work is in progress.
#pragma once

#include <future>

#include "gpcv/compute.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Does the work of prepare_device() in the background, and loads everything that products of this many rows need, such
/// as the libraries of a device.
[[nodiscard]] std::future<void> prepare_products(const ComputeOptions& options, Index rows);

}  // namespace gpcv
