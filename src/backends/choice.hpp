/// Which products go to a device.
#pragma once

#include "gpcv/compute.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Whether a product of so many rows and columns is made by the cuda backend.
bool on_device(const ComputeOptions& options, Index rows, Index cols);

}  // namespace gpcv
