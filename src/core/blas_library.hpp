/// The BLAS library of this process. All libraries share CBLAS and LAPACKE; what they do not share, their threads and
/// their memory, is in blas_library.cpp and nowhere else.
#pragma once

#include <vector>

namespace gpcv {

/// The numbers of threads that calls of BLAS and LAPACK use now, one for each library: both may come from two. It is
/// empty if they have one thread and no setting for it, as the reference BLAS.
std::vector<int> blas_threads();

/// Sets the number of threads of all libraries, or the number of each in the order of blas_threads().
void set_blas_threads(int threads);
void set_blas_threads(const std::vector<int>& threads);

/// Throws OutOfMemory unless OpenBLAS can get its buffers for this many threads. OpenBLAS itself tries for ever, at
/// full load, when the system refuses them, as under `ulimit -v`. Other libraries report it themselves.
void require_blas_memory(int threads);

}  // namespace gpcv
