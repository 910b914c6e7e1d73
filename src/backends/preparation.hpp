/// What can be made ready while something else is computed.
#pragma once

#include <future>

#include "gpcv/compute.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Begins in the background what takes 0.2 s: the driver of a device is opened, and its context made where a device is
/// asked for by name. The future waits for it when it ends; what fails will fail again, and be told, where it is
/// needed.
[[nodiscard]] std::future<void> prepare_device(const ComputeOptions& options);

/// The same for all that products of so many rows will need first, a device's libraries included.
[[nodiscard]] std::future<void> prepare_products(const ComputeOptions& options, Index rows);

}  // namespace gpcv
