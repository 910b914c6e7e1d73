/// What the backends can do, and the choice between the device and the processor for a product.
#pragma once

#include <string>

#include "gpcv/compute.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Whether the cuda backend computes a product of this many rows and columns.
bool on_device(const ComputeOptions& options, Index rows, Index cols);

/// Whether the device factorises a matrix of this many rows: a few thousand of them, or any number where the options
/// name both the device and the factorisation.
bool factorises_on_device(const ComputeOptions& options, Index rows);

/// Whether a backend computes in single precision, too.
bool computes_in_single(const std::string& backend);

}  // namespace gpcv
