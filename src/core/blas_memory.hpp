/// The memory that OpenBLAS takes for itself.
#pragma once

namespace gpcv {

/// Throws OutOfMemory unless OpenBLAS can get its buffers for this many threads. OpenBLAS itself tries for ever, at
/// full load, when the system refuses them, as under `ulimit -v`.
void require_blas_memory(int threads);

}  // namespace gpcv
