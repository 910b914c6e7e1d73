/// The choice between the device and the processor for a product.
#pragma once

#include "gpcv/compute.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Whether the cuda backend computes a product of this many rows and columns.
bool on_device(const ComputeOptions& options, Index rows, Index cols);

}  // namespace gpcv
