/// What the machine offers to a computation: cores, memory, the processor that BLAS computes for, a device.
#pragma once

#include <cstddef>
#include <future>
#include <string>

#include "gpcv/compute.hpp"
#include "gpcv/export.hpp"

namespace gpcv {

/// Number of cores that this process may use.
GPCV_EXPORT int available_threads();

/// Name of the processor that BLAS computes for; another processor may round differently.
GPCV_EXPORT std::string blas_name();

/// Largest resident set of this process so far, in bytes.
GPCV_EXPORT std::size_t peak_memory();

/// Number of bytes written as "2G", "512M", "1.5GiB" or plain bytes. Throws InputError for anything else.
GPCV_EXPORT std::size_t parse_memory(const std::string& text);

/// Memory budget in bytes that is used where none is given: 80 % of what is free.
GPCV_EXPORT std::size_t default_memory_budget();

/// Opens the driver of a device in the background, which takes 0.2 s, and creates its context where a device was asked
/// for by name. The future waits for the end when it is destroyed. A failure is reported later, where the device is
/// needed.
[[nodiscard]] GPCV_EXPORT std::future<void> prepare_device(const ComputeOptions& options);

}  // namespace gpcv
